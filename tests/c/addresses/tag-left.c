// The flag is forgotten: the access ends one byte behind the object.
// expect: unsafe
// options: --property valid-deref
// models: lp64 ilp32
#include <stdint.h>
int main(void) {
    int x = 3;
    uintptr_t u = (uintptr_t)&x | 1;
    return *(int *)u; //~ violated
}
