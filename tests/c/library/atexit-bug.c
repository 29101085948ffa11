// expect: unsafe
#include <stdlib.h>
void reach_error(void);
static int n;
static void second(void) { if (n == 1) reach_error(); } //~ violated
static void first(void) { n = 1; }
int main(void) {
    atexit(second);
    atexit(first);
    exit(0);
}
