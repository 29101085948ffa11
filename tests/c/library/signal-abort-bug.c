// expect: unsafe
#include <assert.h>
#include <signal.h>
#include <stdlib.h>
static int n_calls;
static void handler(int number) { assert(n_calls != 1); } //~ violated
int main(void) {
    signal(SIGABRT, handler);
    n_calls = 1;
    abort();
}
