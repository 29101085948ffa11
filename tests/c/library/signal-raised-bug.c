// expect: unsafe
// models: lp64 ilp32
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t seen;
static void handler(int number) { seen = number; }
int main(void) {
    signal(SIGUSR1, handler);
    raise(SIGUSR1);
    assert(seen == 0); //~ violated
    return 0;
}
