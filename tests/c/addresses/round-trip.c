// Through integers, sums and memory, and back.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
#include <string.h>
int main(void) {
    int a[4] = {1, 2, 3, 4};
    intptr_t n = (intptr_t)a;
    n += 8;
    assert(*(int *)n == 3);
    n -= 4;
    assert(*(int *)n == 2);
    char buffer[sizeof(intptr_t)];
    memcpy(buffer, &n, sizeof n);
    int *p;
    memcpy(&p, buffer, sizeof p);
    *p = 20;
    assert(a[1] == 20);
    return 0;
}
