// Which of two objects comes first is open: either may.
// expect: unsafe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
static int x[4], y[4];
int main(void) {
    assert((uintptr_t)x > (uintptr_t)y); //~ violated
    return 0;
}
