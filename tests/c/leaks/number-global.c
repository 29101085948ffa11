// expect: safe
// options: --property valid-memtrack
// models: lp64 ilp32
#include <stdint.h>
#include <stdlib.h>
static uintptr_t kept;
static struct {
    long n;
    uintptr_t tagged;
} table[2];
int main(void) {
    kept = (uintptr_t)malloc(4);
    table[1].tagged = (uintptr_t)malloc(8) | 1;
    return 0;
}
