// expect: unknown(unsupported)
// options: --property assert
/* Not 0, although 1 + x is 1: no range tells. */
#include <assert.h>
#include <math.h>

int main(void)
{
    assert(log1p(1e-20) == 0);
    return 0;
}
