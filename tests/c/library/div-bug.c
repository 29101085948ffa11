// expect: unsafe
// says: `div`: the divisor may be 0
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
int main(void) {
    div_t d = div(7, __VERIFIER_nondet_int()); //~ violated
    return d.quot;
}
