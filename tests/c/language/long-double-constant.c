// expect: rejected
#include <assert.h>
static long double tenth = 0.1L; //~ c0003
int main(void) {
    assert(tenth == 0.1);
    return 0;
}
