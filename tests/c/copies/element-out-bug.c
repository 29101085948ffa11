// expect: unsafe
#include <assert.h>
extern int nondet_int(void);
struct item {
    char kind;
    int value;
};
int main(void)
{
    struct item table[5];
    for (int i = 0; i < 5; i++) {
        table[i].kind = (char)i;
        table[i].value = i * i;
    }
    int i = nondet_int();
    if (i < 0 || i > 4)
        return 0;
    struct item it = table[i];
    assert(it.value != 9); //~ violated
    return 0;
}
