// expect: unsafe
// options: --property library
#include <stdio.h>

int main(void)
{
    printf("%d%%\n", 5);
    printf("%d %y\n", 5, 6); //~ violated
    return 0;
}
