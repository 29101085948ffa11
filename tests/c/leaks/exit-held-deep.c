// expect: safe
// options: --property valid-memtrack
#include <stdlib.h>
static void down(int n, char *above) {
    char *here = malloc(2);
    here[0] = above ? above[0] : 1;
    if (n == 0)
        exit(0);
    down(n - 1, here);
    free(here);
}
int main(void) {
    down(2, 0);
    return 0;
}
