// expect: safe
// options: --property bounds,assert
// models: lp64 ilp32
/* The length in a parameter's type makes no array; one of 0 elements is GNU C's. */
#include <assert.h>

static int first(int n, const int a[n])
{
    return n > 0 ? a[0] : -1;
}

int main(void)
{
    int a[2] = {7, 8}, n = 0;
    int none[n];
    assert(sizeof none == 0);
    assert(first(2, a) == 7 && first(0, a) == -1 && first(-3, a) == -1);
    return 0;
}
