// expect: unsafe
#include <stdlib.h>
static int order(const void *a, const void *b) {
    return ((const int *)a)[5] - ((const int *)b)[0]; //~ violated
}
int main(void) {
    int a[2] = {1, 2};
    qsort(a, 2, sizeof a[0], order);
    return 0;
}
