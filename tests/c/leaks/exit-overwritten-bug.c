// expect: unsafe
// options: --property valid-memtrack
#include <stdlib.h>
int main(void) {
    char *text = malloc(3); //~ violated
    text = 0;
    exit(0);
}
