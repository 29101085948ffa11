// expect: unsafe
// options: --property assert,bounds,null --all
// An element of an array that is not short, at one of three places, is copied: it may be the second.
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
struct item { unsigned char kind; char rest[15]; };
static struct item all[30];
int main(void)
{
    all[0].kind = (unsigned char)__VERIFIER_nondet_char();
    all[1].kind = (unsigned char)__VERIFIER_nondet_char();
    int k = __VERIFIER_nondet_char();
    struct item *at = k == 0 ? all : k == 1 ? all + 1 : all + 2;
    struct item one = *at;
    assert(one.kind == at->kind);
    if (k > 0)
        assert(one.kind == 0); //~ violated
    return 0;
}
