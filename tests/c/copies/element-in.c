// expect: safe
// The same into an array.
#include <assert.h>
extern int nondet_int(void);
struct item {
    short kind;
    long value;
    int *to;
};
int main(void)
{
    static int a = 1, b = 2;
    struct item table[3] = {{0, 0, &a}, {1, 1, &a}, {2, 2, &a}};
    struct item fresh = {7, 70, &b};
    int i = nondet_int(), j = nondet_int();
    if (i < 0 || i > 2 || j < 0 || j > 2)
        return 0;
    table[i] = fresh;
    assert(table[i].kind == 7);
    for (int k = 0; k < 3; k++)
        assert(k == i ? table[k].value == 70 : table[k].value == k);
    return 0;
}
