// expect: unsafe
// says: `%ld` does not fit the type `int`
#include <stdio.h>
int main(void) {
    int x = 1;
    printf("%ld\n", x); //~ violated
    return 0;
}
