// expect: unsafe
// options: --property assert
// A function of a common name that nobody defines is the program's, not the verifier's.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
void assume(int c);
int main(void) {
    int n = __VERIFIER_nondet_int();
    assume(n == 7);
    assert(n == 7); //~ violated
    return 0;
}
