// expect: unsafe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(void) {
    char *p = aligned_alloc(32, 128);
    if (!p) return 1;
    int is_more = (uintptr_t)p % 64 == 0;
    free(p);
    assert(is_more); //~ violated
    return 0;
}
