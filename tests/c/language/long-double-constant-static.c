// expect: rejected
#include <assert.h>
int main(void) {
    static long double tenth = 0.1L; //~ c0003
    assert(tenth == 0.1);
    return 0;
}
