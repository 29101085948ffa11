/* An allocator that hands out pieces of one block. `-D BUG`: the size is rounded up after it was
 * compared. */
#include <assert.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

struct arena {
    _Alignas(8) char block[20];
    size_t used;
};

static void *allocate(struct arena *arena, size_t size) {
#ifdef BUG
    if (size > sizeof arena->block - arena->used) return NULL;
    size = (size + 7) & ~(size_t)7;
#else
    if (size > sizeof arena->block) return NULL;
    size = (size + 7) & ~(size_t)7;
    if (size > sizeof arena->block - arena->used) return NULL;
#endif
    void *piece = arena->block + arena->used;
    arena->used += size;
    return piece;
}

int main(void) {
    struct arena arena = {{0}, 0};
    for (int i = 0; i < 3; i++) {
        int size = getchar();
        if (size == EOF) break;
        char *piece = allocate(&arena, (size_t)size);
        if (piece) memset(piece, 1, (size_t)size);
        assert(arena.used <= sizeof arena.block);
    }
    return 0;
}
