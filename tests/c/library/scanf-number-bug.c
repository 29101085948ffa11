// expect: unsafe
// options: --property assert
#include <assert.h>
#include <stdio.h>
int main(void) {
    int x;
    if (scanf("%d", &x) == 1) assert(x != 42); //~ violated
    return 0;
}
