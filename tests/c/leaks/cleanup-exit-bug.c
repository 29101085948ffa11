// expect: unsafe
// options: --property valid-memcleanup
#include <stdlib.h>
static void stop(int code) { exit(code); }
int main(void) {
    char *text = malloc(4); //~ violated
    if (text)
        stop(1);
    free(text);
    return 0;
}
