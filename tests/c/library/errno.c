// expect: safe
#include <assert.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
int main(void) {
    char *end;
    errno = 0;
    assert(strtol(" -12x", &end, 10) == -12 && *end == 'x' && errno == 0);
    assert(strtol("99999999999999999999", 0, 10) == LONG_MAX && errno == ERANGE);
    assert(strtoul("0x1f", &end, 0) == 31 && *end == 0);
    assert(strtoll("-9223372036854775808", 0, 10) == LLONG_MIN);
    assert(strtol("", &end, 10) == 0);
    assert(atoi("-2147483648") == INT_MIN && atol("77") == 77);
    assert(atof("1.5") == 1.5 && strtod("-2.5e3z", &end) == -2500.0 && *end == 'z');
    return 0;
}
