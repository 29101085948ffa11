// expect: safe
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char b[4];
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 999) return 0;
    sprintf(b, "%d", x);
    return 0;
}
