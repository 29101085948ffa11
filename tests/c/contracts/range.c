// expect: safe
// says: it returns a number from 0 to 3
#include <hardbop.h>
extern int level(void);
__hardbop_returns_range(level, 0, 3);
int main(void) {
    int a[4] = {0};
    return a[level()];
}
