// expect: unsafe
// says: `fgets`
#include <stdio.h>
int main(void) {
    char line[4];
    fgets(line, 10, stdin); //~ violated
    return 0;
}
