// expect: unsafe
// options: --property assert
#include <assert.h>

struct state {
    int n;
    _Bool is_open;
};
struct state current(void);

int main(void)
{
    assert(!current().is_open); //~ violated
    return 0;
}
