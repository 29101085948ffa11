// expect: unsafe
// options: --property valid-memtrack
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    for (;;) {
        char *line = malloc(8); //~ violated
        line[0] = 0;
        if (__VERIFIER_nondet_int() == 7)
            exit(0);
    }
}
