// expect: safe
#include <assert.h>
int index = 3;
static int rindex(int x) { return x + 1; }
int main(void) {
    assert(rindex(index) == 4);
    return 0;
}
