// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <stdio.h>
int main(void) {
    int n = 1;
    long l = 2;
    signed char h = 3;
    printf("ab%%%n", &n);
    assert(n == 3);
    printf("x%ln%c%hhn\n", &l, 'q', &h);
    fprintf(stderr, "%n", &n);
    assert(l == 1 && h == 2 && n == 0);
    return 0;
}
