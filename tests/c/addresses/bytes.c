// A pointer copied byte by byte is the same pointer.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
int main(void) {
    int x = 5;
    int *p = &x, *q;
    char *from = (char *)&p, *to = (char *)&q;
    for (unsigned i = 0; i < sizeof p; i++)
        to[i] = from[i];
    *q = 7;
    assert(x == 7);
    return 0;
}
