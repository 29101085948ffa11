// expect: unsafe
// options: --property valid-memcleanup
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    char *text = malloc(4); //~ violated
    if (__VERIFIER_nondet_int())
        abort();
    free(text);
    return 0;
}
