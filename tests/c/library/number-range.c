// expect: safe
// options: --property assert
#include <assert.h>
#include <errno.h>
#include <math.h>
#include <stdlib.h>
int main(void) {
    char *end;
    double d = strtod("-1e400x", &end);
    assert(isinf(d) && d < 0 && errno == ERANGE && *end == 'x');
    errno = 0;
    assert(strtod("1e-999", 0) == 0 && errno == ERANGE);
    errno = 0;
    assert(strtod("0e999", 0) == 0 && errno == 0);
    return 0;
}
