// expect: unknown(unsupported)
// options: --property assert
#include <assert.h>
#include <math.h>
int main(void) {
    double x = 1 + 0x1p-52;
    assert(fma(x, x, -1 - 0x1p-51) == 0);
    return 0;
}
