// expect: safe
// options: --property assert
#include <assert.h>
#include <search.h>
static int order(const void *a, const void *b) { return *(const int *)a - *(const int *)b; }
int main(void) {
    void *root = 0;
    int a = 1, b = 2, c = 1;
    tsearch(&a, &root, order);
    tsearch(&b, &root, order);
    assert(*(int **)tsearch(&c, &root, order) == &a && tfind(&b, &root, order) != 0);
    return 0;
}
