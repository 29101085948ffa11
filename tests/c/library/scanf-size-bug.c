// expect: unsafe
// options: --property library
// models: lp64 ilp32
#include <stdio.h>
int main(void) {
    short pair[2] = {0};
    return scanf("%d", &pair[0]) == 1 && pair[1]; //~ violated
}
