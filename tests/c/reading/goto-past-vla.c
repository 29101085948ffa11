// expect: rejected
int main(void) {
    int n = 3;
    goto end; //~ c0004
    int a[n];
end:
    return 0;
}
