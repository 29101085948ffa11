// expect: unsafe
// options: --property valid-memcleanup
// models: lp64 ilp32
#include <stdlib.h>
static char *kept;
int main(void) {
    kept = malloc(4); //~ violated
    return 0;
}
