// expect: unsafe
// options: --property pointer
int main(void) {
    int a[2] = {1, 2}, *p = a + 1, n = 0;
    while (p >= a) {
        n += *p;
        p--; //~ violated
    }
    return n != 3;
}
