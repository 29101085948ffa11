// The bytes of a pointer tell which object it points to.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
static int a, b;
static int same(int **x, int **y) {
    unsigned char *s = (unsigned char *)x, *t = (unsigned char *)y;
    for (unsigned i = 0; i < sizeof *x; i++)
        if (s[i] != t[i])
            return 0;
    return 1;
}
int main(void) {
    int *p = &a, *q = &b, *r = &a;
    assert(same(&p, &r));
    assert(!same(&p, &q));
    return 0;
}
