// expect: unsafe
// options: --property uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4];
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3)
        return 0;
    a[0] = a[1] = a[2] = 1;
    return a[i]; //~ violated
}
