// expect: safe
// options: --property null
// Not asked about, an assertion ends the program where it fails all the same.
extern void __VERIFIER_assert(int c);
extern int __VERIFIER_nondet_int(void);
int x;
int main(void) {
    int *p = __VERIFIER_nondet_int() ? &x : 0;
    __VERIFIER_assert(p != 0);
    return *p;
}
