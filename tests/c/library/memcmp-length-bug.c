// expect: unsafe
// The first bytes decide, yet both must have as many as are to be compared.
#include <string.h>
int main(void) {
    return memcmp("abc", "xyzxyzxyz", 6) == 0; //~ violated
}
