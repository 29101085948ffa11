// expect: unsafe
// options: --property assert
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char from[8] = "abcdefg", to[8] = "1234567";
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 8)
        return 0;
    memmove(to, from, n);
    assert(to[5] != 'f'); //~ violated
    return 0;
}
