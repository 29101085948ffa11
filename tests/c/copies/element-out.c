// expect: safe
// A structure is copied out of an array at an index that is not known.
#include <assert.h>
extern int nondet_int(void);
struct item {
    char kind;
    int value;
    const char *name;
};
static const char text[] = "abc";
static struct item table[4] = {{0, 10, text}, {1, 11, text + 1}, {2, 12, text + 2}, {3, 13, text}};
static int value(struct item it)
{
    return it.value * 2 + *it.name;
}
int main(void)
{
    int i = nondet_int();
    if (i < 0 || i > 3)
        return 0;
    struct item it = table[i];
    assert(it.kind == i && it.value == 10 + i);
    assert(value(table[i]) >= 20 + 'a');
    return 0;
}
