// expect: unsafe
#include <assert.h>
extern unsigned nondet_uint(void);
struct item {
    short kind;
    long value;
};
int main(void)
{
    struct item table[3] = {{0, 0}, {1, 1}, {2, 2}};
    struct item fresh = {7, 70};
    unsigned i = nondet_uint() % 3;
    table[i] = fresh;
    assert(table[1].value == 1); //~ violated
    return 0;
}
