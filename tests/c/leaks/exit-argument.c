// expect: unknown(not-shown)
// options: --property valid-memtrack
/* The first argument waits in no variable while the second one is made: it is not lost, which runs know and proofs do not. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
static char *made(int n) {
    if (n > 3)
        exit(1);
    return malloc(4);
}
static void drop(char *a, char *b) {
    free(a);
    free(b);
}
int main(void) {
    drop(made(1), made(__VERIFIER_nondet_int()));
    return 0;
}
