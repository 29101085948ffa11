// expect: unknown(unsupported)
// options: --property assert
#include <assert.h>
int main(void) {
    long double a = 1;
    assert(a / 3 == (double)(a / 3));
    return 0;
}
