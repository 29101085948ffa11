// expect: safe
// options: --property assert
/* The functions of <math.h> for float, and results that are no number near 0 or of the other sign. */
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(remainderf(5.0f, 3.0f) == -1.0f && scalbnf(1.5f, 2) == 6.0f && llrintf(2.5f) == 2);
    assert(ilogbf(8.0f) == 3 && logbf(0.25f) == -2.0f && exp2f(3.0f) == 8.0f && coshf(0.0f) == 1.0f);
    assert(nextafterf(1.0f, 2.0f) - 1.0f == 0x1p-23f && nextafterf(0.0f, -1.0f) < 0);
    assert(pow(-0.0, -1) < 0 && pow(0.0, -2) > 1e300 && log1p(-1) < 0);
    return 0;
}
