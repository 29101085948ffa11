// expect: safe
#include <assert.h>
#include <stdlib.h>
static int n;
static void last(void) { assert(n == 1); }
static void first(void) { n = 1; }
static void never(void) { assert(0); }
int main(void) {
    atexit(never);
    at_quick_exit(last);
    at_quick_exit(first);
    quick_exit(0);
}
