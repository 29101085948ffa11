// expect: unsafe
// says: `%s` has no argument
#include <stdio.h>
int main(void) {
    printf("%d %s\n", 1); //~ violated
    return 0;
}
