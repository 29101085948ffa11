// expect: unsafe
// options: --property valid-memsafety
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *word = 0;
    if (sscanf("abc", "%ms", &word) != 1)
        return 1;
    char last = word[4]; //~ violated
    free(word);
    return last;
}
