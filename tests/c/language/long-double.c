// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <float.h>
#include <math.h>
static long double known = 1.0L / 4 + 2;
int main(void) {
    assert(known == 2.25L);
    long double a = 1.5L, sum = 0;
    a = a * 2 + 0.25L;
    assert(a == 3.25L && a / 2 == 1.625L && -a < 0);
    for (int i = 0; i < 10; i++) sum += i;
    assert(sum == 45 && (int)(sum / 9) == 5);
    assert(fabsl(-a) == a && floorl(a) == 3 && sqrtl(6.25L) == 2.5L);
    long long whole = 1LL << 40;
    assert((long double)whole * 4 == 0x1p42L);
    assert(1 / (sum - 45) > DBL_MAX);
    assert(DBL_EPSILON == 0x1p-52 && (double)0.1L == 0.1);
    return 0;
}
