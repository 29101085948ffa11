// A copy of a length that is not known takes what it takes and leaves the rest.
// expect: safe
// options: --property assert
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char from[8] = "abcdefg", to[8] = "1234567";
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 8)
        return 0;
    memcpy(to, from, n);
    if (n > 2)
        assert(to[2] == 'c');
    else
        assert(to[2] == '3');
    assert(to[7] == 0);
    return 0;
}
