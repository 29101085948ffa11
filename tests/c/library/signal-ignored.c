// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <signal.h>
int main(void) {
    assert(signal(SIGINT, SIG_IGN) == SIG_DFL);
    raise(SIGINT);
    assert(signal(SIGINT, SIG_DFL) == SIG_IGN);
    raise(SIGINT);
    assert(0);
}
