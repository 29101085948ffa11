// What is alive together does not overlap.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    char local[8];
    char *p = malloc(4), *q = malloc(4);
    uintptr_t a = (uintptr_t)p, b = (uintptr_t)q, c = (uintptr_t)local;
    assert(a != b && a + 3 != b && b + 3 != a);
    assert(c + 7 != a && c != b);
    assert(a != 0 && c != 0);
    assert(a + 4 > a);
    return 0;
}
