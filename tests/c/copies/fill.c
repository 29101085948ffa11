// expect: safe
// options: --property assert
#include <assert.h>
#include <string.h>
extern unsigned __VERIFIER_nondet_uint(void);
int main(void) {
    char to[6] = "12345";
    unsigned n = __VERIFIER_nondet_uint();
    if (n > 6)
        return 0;
    memset(to, 'x', n);
    assert(to[0] == (n > 0 ? 'x' : '1'));
    assert(to[5] == (n > 5 ? 'x' : 0));
    return 0;
}
