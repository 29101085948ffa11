// What is written through it is written.
// expect: unsafe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    int x = 0;
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == (uintptr_t)&x) {
        *(int *)n = 1;
        assert(x == 0); //~ violated
    }
    return 0;
}
