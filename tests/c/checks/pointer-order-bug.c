// expect: unsafe
// models: lp64 ilp32
// options: --property pointer
int a[2], b[2];
int main(void) {
    int *p = a, *q = b;
    return p < q; //~ violated
}
