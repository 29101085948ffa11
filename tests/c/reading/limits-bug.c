// expect: unsafe
// models: ilp32
#include <limits.h>
extern void reach_error(void);
int main(void) {
    if (LONG_MAX == INT_MAX) reach_error(); //~ violated
    return 0;
}
