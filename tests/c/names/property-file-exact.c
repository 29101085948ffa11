// expect: safe
// options: --property property-file-exact.prp
// An assertion is none of what the property file asks about.
#include <assert.h>
extern void reach_error(void);
extern void boom(void);
int main(void) {
    if (0) boom();
    reach_error();
    assert(0);
    return 0;
}
