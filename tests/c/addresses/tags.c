// A flag in the lowest bit of an address, taken out again before use.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof(int));
    *p = 3;
    uintptr_t u = (uintptr_t)p | 1;
    assert(u & 1);
    int *q = (int *)(u & ~(uintptr_t)1);
    assert(*q == 3);
    assert(q == p);
    *q = 4;
    assert(*p == 4);
    return 0;
}
