// expect: unsafe
// options: --property valid-memtrack
// models: lp64 ilp32
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept;
int main(void) {
    char *text = malloc(8); //~ violated
    kept = (uintptr_t)text / 2;
    return 0;
}
