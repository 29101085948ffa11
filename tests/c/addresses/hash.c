// An address as the index of a table.
// expect: safe
// options: --property valid-memsafety
// models: lp64 ilp32
#include <stdint.h>
static unsigned char table[16];
int main(void) {
    int x;
    unsigned at = ((uintptr_t)&x >> 4) % 16;
    table[at] = 1;
    return table[at] - 1;
}
