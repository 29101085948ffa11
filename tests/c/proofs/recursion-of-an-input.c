// expect: safe
// options: --property assert
// says: , certified,
// How deep it goes depends on an input: the certifier has to ask, now and then, whether it goes on.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);

static int sum(int n)
{
    return n <= 0 ? 0 : n + sum(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    assert(sum(n) >= n);
    return 0;
}
