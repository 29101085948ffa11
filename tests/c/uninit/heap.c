// expect: unsafe
// options: --property uninit
#include <stdlib.h>
int main(void) {
    int *p = malloc(2 * sizeof(int));
    p[0] = 1;
    int sum = p[0] + p[1]; //~ violated
    free(p);
    return sum;
}
