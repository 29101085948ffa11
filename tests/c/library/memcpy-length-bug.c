// expect: unsafe
#include <stdio.h>
#include <string.h>
int main(void) {
    char from[16] = "abcdefg", to[8];
    int n = getchar();
    if (n < 0 || n > 9) return 0;
    memcpy(to, from, n); //~ violated
    return to[0];
}
