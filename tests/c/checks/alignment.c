// expect: safe
// options: --property align
#include <stdlib.h>
struct __attribute__((packed)) wire { char kind; int length; };
int main(void) {
    struct wire w = {1, 2};
    int *p = malloc(2 * sizeof *p);
    if (!p) return 1;
    char *c = (char *)p + 4;
    int *q = (int *)c;
    *q = w.length;
    free(p);
    return 0;
}
