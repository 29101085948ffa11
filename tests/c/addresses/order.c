// But it is one order.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
static int a, b, c;
int main(void) {
    int *p = &a, *q = &b, *r = &c;
    assert(!(p < q && q < p));
    assert(p < q || q < p);
    assert(!(p < q && q < r) || p < r);
    return 0;
}
