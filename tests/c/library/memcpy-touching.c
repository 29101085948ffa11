// expect: safe
#include <string.h>
int main(void) {
    char a[8] = "abc";
    memcpy(a + 4, a, 4);
    memcpy(a, a, 4);
    memmove(a + 1, a, 4);
    return a[5] != 'b';
}
