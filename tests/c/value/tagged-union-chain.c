// A number or a link in each element: the walk ends at the number.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int is_last;
    union {
        long number;
        struct node *next;
    };
};

int main(void)
{
    struct node a[3], *p = a;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 2)
        return 0;
    for (int i = 0; i < 3; i++) {
        a[i].is_last = i == n;
        if (i == n)
            a[i].number = n;
        else
            a[i].next = &a[(i + 1) % 3];
    }
    while (!p->is_last)
        p = p->next;
    assert(p->number == n);
    return 0;
}
