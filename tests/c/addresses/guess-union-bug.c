// expect: unsafe
// options: --property assert
// A number that happens to be an address becomes a pointer without a cast.
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
union word { int *p; unsigned long n; } first, second;
int main(void) {
    int x = 1;
    first.p = &x;
    unsigned long guess = __VERIFIER_nondet_ulong();
    if (guess != first.n) return 0;
    second.n = guess;
    *second.p = 5;
    if (x == 5) reach_error(); //~ violated
    return 0;
}
