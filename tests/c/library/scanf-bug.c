// expect: unsafe
#include <stdio.h>
int main(void) {
    char word[3];
    if (scanf("%s", word) != 1) return 1; //~ violated
    return 0;
}
