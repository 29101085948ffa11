// expect: unsafe
// options: --malloc-may-fail
#include <stdlib.h>
int main(void) {
    int *p = malloc(sizeof *p);
    *p = 1; //~ violated
    free(p);
    return 0;
}
