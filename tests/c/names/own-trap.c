// expect: unsafe
// options: --property assert
#include <assert.h>
void trap(void);
void unreachable(void);
int main(void) {
    trap();
    unreachable();
    assert(0); //~ violated
    return 0;
}
