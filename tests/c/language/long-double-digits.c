// expect: unknown(unsupported)
// options: --property assert
#include <assert.h>
int main(void) {
    long long large = 9007199254740993LL;
    long double a = large;
    assert((long long)a != large);
    return 0;
}
