// expect: unknown(unsupported)
#include <assert.h>
#include <fenv.h>
int main(void)
{
    fesetround(FE_UPWARD);
    volatile double third = 1.0, three = 3.0;
    assert(third / three * 3.0 <= 1.0);
    return 0;
}
