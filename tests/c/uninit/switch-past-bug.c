// expect: unsafe
// options: --property uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    switch (__VERIFIER_nondet_int()) {
        int z = 5;
    case 1:
        return z; //~ violated
    }
    return 0;
}
