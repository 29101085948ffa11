// expect: unsafe
#include <stdio.h>
int main(void) {
    char seen[3] = {0};
    int c = getchar();
    if (c == 'x') c = getchar();
    if (c == 'y') seen[3] = 1; //~ violated
    return seen[0];
}
