// expect: unsafe
// options: --property pointer
#include <stdlib.h>
int main(void) {
    char *p = malloc(4), *q = malloc(4);
    long distance = p - q; //~ violated
    free(p);
    free(q);
    return distance > 0;
}
