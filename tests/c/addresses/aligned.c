// Addresses are multiples of what the type, a declaration or `malloc` promises.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
struct pair { char c; int *p; };
static int global;
int main(void) {
    static short s;
    int local;
    struct pair pair;
    _Alignas(64) char line[10];
    assert(((uintptr_t)&global & (sizeof(int) - 1)) == 0);
    assert(((uintptr_t)&s & 1) == 0);
    assert(((uintptr_t)&local & 3) == 0);
    assert((uintptr_t)&pair % sizeof(int *) == 0);
    assert(((uintptr_t)line & 63) == 0);
    assert(((uintptr_t)malloc(1) & 7) == 0);
    return 0;
}
