// expect: unsafe
// What the program frees elsewhere it must free here.
#include <stdlib.h>
extern void *grab(size_t) __attribute__((malloc, alloc_size(1), returns_nonnull));
int main(int argc, char **argv) {
    char *p = grab(4); //~ violated
    if (argc > 1) free(p);
    return 0;
}
