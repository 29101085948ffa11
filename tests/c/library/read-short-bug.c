// expect: unsafe
// options: --property assert
#include <assert.h>
#include <unistd.h>
int main(void) {
    char b[4];
    ssize_t n = read(0, b, sizeof b);
    if (n > 0) assert(n == 4); //~ violated
    return 0;
}
