// expect: unknown(unsupported)
// says: a signal from outside
#include <assert.h>
#include <signal.h>
static volatile sig_atomic_t seen;
static void handler(int number) { seen = number; }
int main(void) {
    signal(SIGUSR1, handler);
    assert(seen == 0);
    return 0;
}
