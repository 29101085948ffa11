// expect: safe
// options: --property assert
// models: lp64 ilp32
/* Qualifiers of an array type are its elements' (6.7.3); a value has none. */
#include <assert.h>

typedef int row[3];
typedef row grid[2];

int main(void)
{
    const row a = {1, 2, 3};
    volatile row b = {0};
    const grid c = {{0}};
    const struct {
        int of[2];
        int *p;
    } s = {{0}, 0};
    volatile int v = 0;
    assert(_Generic(a, const int *: 1, default: 0));
    assert(_Generic(&a[0], int *: 0, const int *: 1));
    assert(_Generic(b, int *: 0, volatile int *: 1));
    assert(_Generic(c[0], int *: 0, const int *: 1));
    assert(_Generic(s.of, int *: 0, const int *: 1));
    assert(_Generic(&s.p, int **: 0, int *const *: 1));
    assert(_Generic(&v, int *: 0, volatile int *: 1));
    assert(_Generic(a[0], const int: 0, int: 1));
    assert(_Generic(v ? (int *)0 : (const int *)0, int *: 0, const int *: 1));
    assert(_Generic(v ? (int *)0 : (void *)0, int *: 1, void *: 0));
    assert(__builtin_constant_p("text") && !__builtin_constant_p(&v));
    return 0;
}
