// expect: safe
#include <assert.h>
#include <stdlib.h>
int __VERIFIER_nondet_int(void);
static int order(const void *a, const void *b) {
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}
int main(void) {
    int a[3] = {__VERIFIER_nondet_int(), __VERIFIER_nondet_int(), __VERIFIER_nondet_int()}, key = a[1];
    qsort(a, 3, sizeof a[0], order);
    assert(a[0] <= a[1] && a[1] <= a[2]);
    assert(bsearch(&key, a, 3, sizeof a[0], order) != 0);
    return 0;
}
