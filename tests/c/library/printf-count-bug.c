// expect: unsafe
// options: --property valid-memsafety
#include <stdio.h>
int main(void) {
    int *to = 0;
    printf("hello%n\n", to); //~ violated
    return 0;
}
