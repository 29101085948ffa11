// expect: safe
// options: --property uninit
// models: lp64 ilp32
#include <string.h>
struct flags {
    unsigned mode : 3, level : 5;
    struct {
        signed rest : 30;
        _Bool last : 1;
    };
};
union word {
    unsigned all;
    struct flags parts;
};
extern int __VERIFIER_nondet_int(void);

static struct flags made(void)
{
    struct flags it;
    it.mode = it.level = 2;
    it.rest = it.last = 0;
    it.level |= 1;
    return it;
}

int main(void)
{
    struct flags a, b, c, d;
    union word w;
    int sum = 0;
    a = made();
    b = a;
    memset(&c, 0, sizeof c);
    d = __VERIFIER_nondet_int() ? b : (struct flags){.mode = 1};
    w.all = 5;
    for (int i = 0; i < 2; i++) {
        struct flags here;
        here.mode = i;
        if (i)
            here.level = 1;
        sum += here.mode + (i ? here.level : 0);
    }
    return a.level + b.rest + c.last + d.level + w.parts.mode + sum;
}
