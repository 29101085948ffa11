// expect: safe
#include <stdlib.h>
struct hooks { void *(*allocate)(size_t); void (*release)(void *); void *(*again)(void *, size_t); };
static struct hooks hooks = {malloc, free, realloc};
int main(void) {
    char *text = hooks.allocate(2);
    text = hooks.again(text, 4);
    text[3] = 0;
    hooks.release(text);
    return 0;
}
