// So may the place of a local variable.
// expect: unsafe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
static uintptr_t place(void) {
    int x;
    return (uintptr_t)&x;
}
int main(void) {
    uintptr_t a = place(), b = place();
    assert(a != b); //~ violated
    return 0;
}
