// Numbers and owned texts in allocated memory: each is freed as its tag says, and none is lost.
// expect: safe
// options: --property valid-memsafety
// models: lp64 ilp32
#include <stdlib.h>
#include <string.h>

extern long __VERIFIER_nondet_long(void);

struct value {
    int is_text;
    union {
        long number;
        char *text;
    };
};

static struct value *make(long k)
{
    struct value *v = malloc(sizeof *v);
    if (k > 5) {
        v->is_text = 1;
        v->text = strdup("abc");
    } else {
        v->is_text = 0;
        v->number = k;
    }
    return v;
}

int main(void)
{
    struct value *all[2];
    for (int i = 0; i < 2; i++)
        all[i] = make(__VERIFIER_nondet_long());
    for (int i = 0; i < 2; i++) {
        if (all[i]->is_text)
            free(all[i]->text);
        free(all[i]);
    }
    return 0;
}
