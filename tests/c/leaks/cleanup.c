// expect: safe
// options: --property valid-memcleanup
// models: lp64 ilp32
#include <stdlib.h>
#include <string.h>
extern int __VERIFIER_nondet_int(void);
static char *kept;
static void done(void) { free(kept); }
int main(void) {
    if (__VERIFIER_nondet_int())
        abort();
    kept = strdup("text");
    atexit(done);
    if (__VERIFIER_nondet_int())
        exit(1);
    return 0;
}
