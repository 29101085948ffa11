// expect: unsafe
// options: --property assert
#include <assert.h>
int expect(int a, int b);
int main(void) {
    assert(expect(1, 2) == 1); //~ violated
    return 0;
}
