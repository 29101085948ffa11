// expect: unsafe
// The same with steps of two, which go past the end of a text of odd length that fills the array.
#include <stdio.h>

int main(void)
{
    char line[6];
    int signs = 0;
    while (fgets(line, sizeof line, stdin)) {
        for (char *p = line; *p; p += 2) //~ violated
            if (*p == '#')
                signs = 1;
    }
    return signs;
}
