// expect: unsafe
// options: --property pointer
int main(void) {
    int a[4];
    int *p = a + 5; //~ violated
    return p == a;
}
