// expect: unsafe
// says: `realloc`
#include <stdlib.h>
int main(void) {
    int x, *a = &x;
    a = realloc(a, 8); //~ violated
    return a == 0;
}
