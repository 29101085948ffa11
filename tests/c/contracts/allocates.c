// expect: safe
// models: lp64 ilp32
// says: it returns fresh memory of the size its arguments say
// The allocator keeps what is not freed.
#include <hardbop.h>
#include <stddef.h>
extern void *grab(size_t, size_t);
__hardbop_allocates(grab, 1, 2);
int main(void) {
    int *p = grab(4, sizeof(int)), *q = grab(1, sizeof(int));
    if (!p || !q) return 1;
    p[3] = 1;
    *q = 2;
    return p[3] != 1;
}
