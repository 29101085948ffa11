// expect: safe
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
int main(int argc, char **argv) {
    char *p = aligned_alloc(64, 128);
    if (!p) return 1;
    assert((uintptr_t)p % 64 == 0);
    void *q = 0;
    if (posix_memalign(&q, argc > 2 ? 32 : 256, 10) == 0) {
        assert((uintptr_t)q % 32 == 0);
        free(q);
    }
    assert(posix_memalign(&q, 3, 10) != 0);
    free(p);
    return 0;
}
