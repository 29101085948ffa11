// expect: unsafe
// says: `strcpy`
#include <stdlib.h>
#include <string.h>
int main(void) {
    char copy[8], *home = getenv("HOME");
    if (!home) return 1;
    strcpy(copy, home); //~ violated
    return copy[0] == '/';
}
