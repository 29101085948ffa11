// expect: rejected
int main(void) {
    int café = 0; //~ c0001
    return 0;
}
