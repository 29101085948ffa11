// expect: safe
// The program's own functions are what it calls, whatever their names.
#include <assert.h>
static int n;
static void *malloc(unsigned long size) { n++; return 0; }
static void free(void *p) { n++; }
int main(void) {
    assert(malloc(3) == 0);
    free(0);
    assert(n == 2);
    return 0;
}
