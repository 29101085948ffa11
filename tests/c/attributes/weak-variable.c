// expect: safe
// says: `nowhere` is weak and defined nowhere: its address is null
#include <assert.h>
extern int nowhere __attribute__((weak));
extern int list[3] __attribute__((weak));
extern int here __attribute__((weak));
int here = 5;
int main(void) {
    int value = &nowhere ? nowhere : 7;
    if (list)
        value += list[1];
    assert(value == 7 && &here != 0 && here == 5);
    return 0;
}
