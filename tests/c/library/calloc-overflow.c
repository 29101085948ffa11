// expect: safe
#include <stdint.h>
#include <stdlib.h>
unsigned long __VERIFIER_nondet_ulong(void);
int main(void) {
    unsigned long n = __VERIFIER_nondet_ulong();
    if (n <= SIZE_MAX / 8) return 0;
    char *p = calloc(n, 8);
    if (p) p[n] = 1;
    return 0;
}
