// expect: safe
// models: lp64 ilp32
// options: --property assert,valid-memsafety
// says: variables keep their values where `longjmp` comes back to
#include <assert.h>
#include <setjmp.h>
static jmp_buf buffer;
static int depth;
static int deeper(int n) {
    if (n == 0) longjmp(buffer, 7);
    depth++;
    return deeper(n - 1);
}
int main(void) {
    volatile int n = 0;
    int result = setjmp(buffer);
    n++;
    if (result == 0) {
        deeper(3);
        assert(0);
    }
    assert(result == 7 && n == 2 && depth == 3);
    return 0;
}
