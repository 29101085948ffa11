// expect: unsafe
// options: --property overflow
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    return abs(__VERIFIER_nondet_int()) & 1; //~ violated
}
