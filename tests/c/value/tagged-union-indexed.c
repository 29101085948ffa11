// Unions in an array at a place that is not known: members of several sizes lie at the same bytes.
// expect: safe
// options: --property assert,valid-memsafety
// models: lp64 ilp32
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

struct value {
    int tag;
    union {
        long long number;
        int pair[2];
        int *place;
        double real;
    };
};

static struct value all[3];
static int x = 40;

static long long get(const struct value *v)
{
    switch (v->tag) {
    case 0: return v->number;
    case 1: return v->pair[0] + v->pair[1];
    case 2: return *v->place;
    default: return (long long)v->real;
    }
}

int main(void)
{
    int i = __VERIFIER_nondet_int(), j = __VERIFIER_nondet_int();
    if (i < 0 || i > 2 || j < 0 || j > 2)
        return 0;
    all[i].tag = 2;
    all[i].place = &x;
    if (i != j) {
        all[j].tag = 1;
        all[j].pair[0] = j;
        all[j].pair[1] = 7;
        assert(get(&all[j]) == j + 7);
    } else {
        all[j].tag = 3;
        all[j].real = 2.5;
        assert(get(&all[i]) == 2);
        return 0;
    }
    assert(get(&all[i]) == 40 && get(&all[3 - i - j]) == 0);
    return 0;
}
