// expect: unsafe
// options: --volatile-inputs
// says: is read as
#include <assert.h>
static volatile int ready;
int main(void)
{
    ready = 0;
    if (!ready)
        return 0;
    assert(ready); //~ violated
    return 0;
}
