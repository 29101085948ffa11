// expect: unsafe
// says: may overlap
#include <string.h>
int main(void) {
    char a[8] = "abcdef";
    memcpy(a + 1, a, 4); //~ violated
    return a[0];
}
