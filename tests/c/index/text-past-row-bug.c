// One row of a matrix of characters runs into the next.
// expect: unsafe
// options: --property index
#include <stdio.h>

int main(void)
{
    char names[3][5] = {"a", "b", "c"};
    sprintf(names[1], "%d", 12345); //~ violated
    return 0;
}
