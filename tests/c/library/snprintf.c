// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char b[8];
    int n = snprintf(b, sizeof b, "%d-%s", -12, "abcdefgh");
    assert(n == 12 && !strcmp(b, "-12-abc"));
    assert(sprintf(b, "%x|%c", 255u, 'q') == 4 && !strcmp(b, "ff|q"));
    assert(snprintf(0, 0, "%05d", 42) == 5);
    return 0;
}
