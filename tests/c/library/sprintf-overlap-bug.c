// expect: unsafe
// says: overlap
#include <stdio.h>
int main(void)
{
    char line[32] = "a";
    sprintf(line, "%s,%d", line, 5); //~ violated
    return line[0];
}
