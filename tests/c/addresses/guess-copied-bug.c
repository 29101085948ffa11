// expect: unsafe
// options: --property assert
#include <string.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);
int main(void) {
    int x = 1, *q = &x, *p;
    unsigned long n, guess = __VERIFIER_nondet_ulong();
    memcpy(&n, &q, sizeof n);
    if (guess != n) return 0;
    memcpy(&p, &guess, sizeof p);
    *p = 5;
    if (x == 5) reach_error(); //~ violated
    return 0;
}
