// A word is read to where nothing is: only `%*s` needs no place.
// expect: unsafe
// options: --property null
// models: lp64 ilp32
#include <stdio.h>

int main(void)
{
    char *to = 0;
    sscanf("one two", "%*s%2s", to); //~ violated
    return 0;
}
