// expect: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    srand(1);
    int r = rand();
    assert(r >= 0 && r <= RAND_MAX && r % 6 + 1 >= 1 && drand48() < 1.0);
    return 0;
}
