// expect: safe
#include <stdlib.h>
static void release(void *p) { free(*(void **)p); }
int main(void) {
    __attribute__((cleanup(release))) char *p = malloc(3);
    p[0] = 0;
    return 0;
}
