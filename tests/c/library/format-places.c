// expect: unknown(unsupported)
// options: --property library
// says: `%1$` in output
/* Arguments by position are POSIX's: no mistake, and not looked at. */
#include <stdio.h>

int main(void)
{
    printf("%1$s, %1$s\n", "twice");
    return 0;
}
