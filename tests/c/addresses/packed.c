// A packed structure may lie anywhere.
// expect: unsafe
// options: --property assert
// models: lp64 ilp32
// says: lie in memory
#include <assert.h>
#include <stdint.h>
struct __attribute__((packed)) number { int i; };
int main(void) {
    struct number n;
    n.i = 1;
    assert(((uintptr_t)&n & 3) == 0); //~ violated
    return 0;
}
