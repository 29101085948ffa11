// expect: unsafe
#include <stddef.h>
extern void *grab(size_t) __attribute__((malloc, alloc_size(1)));
int main(void) {
    char *p = grab(4);
    if (!p) return 1;
    p[4] = 1; //~ violated
    return 0;
}
