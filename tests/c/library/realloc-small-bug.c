// expect: unsafe
#include <stdlib.h>
int main(void) {
    int *a = malloc(4 * sizeof *a);
    a = realloc(a, sizeof *a);
    a[1] = 1; //~ violated
    free(a);
    return 0;
}
