// What was freed may be given out again, at the same address.
// expect: unsafe
// options: --property assert
// models: lp64 ilp32
// says: lie in memory
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    int *p = malloc(4);
    uintptr_t before = (uintptr_t)p;
    free(p);
    int *q = malloc(4);
    assert((uintptr_t)q != before); //~ violated
    return 0;
}
