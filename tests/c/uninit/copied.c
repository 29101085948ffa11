// What has no value has none where it is copied to.
// expect: unsafe
// options: --property uninit
#include <string.h>
int main(void) {
    int a[2], b[2];
    a[0] = 1;
    memcpy(b, a, sizeof b);
    return b[0] + b[1]; //~ violated
}
