// A union of numbers and a pointer, of which a tag says what it holds: where paths meet the pointer is not forgotten.
// expect: safe
// options: --property valid-memsafety
// models: lp64 ilp32
extern int __VERIFIER_nondet_int(void);

struct value {
    enum { INTEGER, TEXT, REAL } tag;
    union {
        int i;
        const char *s;
        double d;
    } u;
};

static struct value make(int k)
{
    struct value v;
    if (k == 0) {
        v.tag = TEXT;
        v.u.s = "abc";
    } else if (k < 0) {
        v.tag = INTEGER;
        v.u.i = k;
    } else {
        v.tag = REAL;
        v.u.d = k;
    }
    return v;
}

int main(void)
{
    struct value v = make(__VERIFIER_nondet_int());
    int sum = 0;
    if (v.tag == INTEGER)
        sum = v.u.i & 1;
    if (v.tag == TEXT)
        sum += v.u.s[2];
    if (v.tag == REAL)
        sum += v.u.d > 3;
    return sum;
}
