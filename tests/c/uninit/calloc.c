// expect: safe
// options: --property uninit
#include <stdlib.h>
int main(void) {
    int *p = calloc(2, sizeof(int));
    int sum = p[0] + p[1];
    free(p);
    return sum;
}
