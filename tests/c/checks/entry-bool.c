// expect: safe
// options: --property assert --entry f --entry-depth 1
// models: lp64 ilp32
#include <assert.h>

struct state {
    _Bool is_open;
    int n;
};

int f(_Bool quick, struct state it, struct state *to)
{
    assert(quick == 0 || quick == 1);
    assert(it.is_open <= 1 && to->is_open <= 1);
    return 0;
}
