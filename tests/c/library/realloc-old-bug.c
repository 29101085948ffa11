// expect: unsafe
#include <stdlib.h>
int main(void) {
    int *a = malloc(sizeof *a), *b = realloc(a, 2 * sizeof *a);
    *a = 1; //~ violated
    free(b);
    return 0;
}
