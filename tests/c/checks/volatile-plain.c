// expect: safe
// Without the option a `volatile` variable holds what was stored.
#include <assert.h>
static volatile int ready;
int main(void)
{
    ready = 1;
    assert(ready == 1);
    return 0;
}
