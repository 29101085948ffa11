// expect: unsafe
#include <hardbop.h>
extern int level(void);
__hardbop_returns_range(level, -1, 3);
int main(void) {
    int a[4] = {0};
    return a[level()]; //~ violated
}
