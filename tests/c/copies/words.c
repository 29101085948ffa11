// Whole elements are copied as such, pointers too.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
static int x, y;
int main(void) {
    int a[4] = {1, 2, 3, 4}, b[4] = {0};
    int *p[2] = {&x, &y}, *q[2] = {&y, &x};
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 2)
        return 0;
    memcpy(b, a, n * sizeof(int));
    memcpy(q, p, n * sizeof(int *));
    assert(b[1] == (n > 1 ? 2 : 0));
    assert(q[0] == (n > 0 ? &x : &y));
    return 0;
}
