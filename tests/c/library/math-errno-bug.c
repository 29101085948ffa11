// expect: unsafe
// options: --property assert
#include <assert.h>
#include <errno.h>
#include <math.h>
extern double __VERIFIER_nondet_double(void);
int main(void) {
    double d = __VERIFIER_nondet_double();
    errno = 0;
    d = sqrt(d);
    assert(errno == 0); //~ violated
    return d > 1;
}
