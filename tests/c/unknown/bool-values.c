// expect: safe
// options: --property assert
// models: lp64 ilp32
/* A _Bool is 0 or 1, wherever it comes from. */
#include <assert.h>
#include <stdlib.h>

extern _Bool ready;
extern struct state {
    int n;
    _Bool is_open;
} state;
struct state current(void);
void fill(_Bool *it);

int main(void)
{
    _Bool is_done = 0;
    fill(&is_done);
    assert(ready == 0 || ready == 1);
    assert(state.is_open <= 1 && current().is_open <= 1);
    assert(is_done + 0 < 2);
    struct state *it = malloc(sizeof *it);
    assert(!it || it->is_open == 0 || it->is_open == 1);
    free(it);
    return 0;
}
