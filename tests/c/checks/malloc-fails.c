// expect: safe
// options: --malloc-may-fail
#include <stdlib.h>
#include <string.h>
int main(void) {
    char *p = malloc(4), *q = p ? realloc(p, 8) : 0;
    if (!q) {
        free(p);
        return 1;
    }
    memset(q, 0, 8);
    free(q);
    return 0;
}
