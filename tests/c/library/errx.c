// expect: safe
#include <err.h>
#include <stdlib.h>
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    int x = __VERIFIER_nondet_int();
    if (x) errx(1, "no %d", x);
    if (x) reach_error();
    return 0;
}
