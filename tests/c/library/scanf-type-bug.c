// expect: unsafe
// options: --property library
#include <stdio.h>
int main(void) {
    double d = 0;
    return scanf("%f", &d) == 1 && d > 1; //~ violated
}
