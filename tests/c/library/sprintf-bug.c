// expect: unsafe
// says: `sprintf`
#include <stdio.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    char b[4];
    int x = __VERIFIER_nondet_int();
    if (x < 0 || x > 1000) return 0;
    sprintf(b, "%d", x); //~ violated
    return 0;
}
