// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <errno.h>
#include <math.h>
static volatile double one = 1, zero = 0, large = 1e300;
int main(void) {
    double d = sqrt(-one);
    assert(d != d && errno == EDOM);
    errno = 0;
    d = log(zero);
    assert(isinf(d) && errno == ERANGE);
    errno = 0;
    d = fmod(one, zero);
    assert(d != d && errno == EDOM);
    errno = 0;
    d = pow(zero, -one);
    assert(isinf(d) && errno == ERANGE);
    errno = 0;
    d = acos(2 * one);
    assert(d != d && errno == EDOM);
    errno = 0;
    d = ldexp(one, -5000);
    assert(d == 0 && errno == ERANGE);
    errno = 0;
    d = exp(-INFINITY * one) + sqrt(4 * one) + floor(large) + log(one);
    assert(d == 2 + large && errno == 0);
    return 0;
}
