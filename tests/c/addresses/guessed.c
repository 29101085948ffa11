// A number that is found to be an address points to what lies there.
// expect: safe
// options: --property assert
// models: lp64
#include <assert.h>
#include <stdint.h>
extern unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    int x = 0;
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n == (uintptr_t)&x) {
        *(int *)n = 1;
        assert(x == 1);
    }
    return 0;
}
