// expect: safe
// models: lp64 ilp32
#include <assert.h>
int expect(int a, int b) { return a + b; }
int main(void) {
    assert(__builtin_expect(3, 4) == 3);
    assert(expect(3, 4) == 7);
    if (expect(0, 0)) __builtin_trap();
    return 0;
}
