// expect: unsafe
// A walk through a text of any length ends at its terminator unless that was overwritten.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) n = 1;
    char *s = malloc(n);
    if (!s) return 1;
    s[n - 1] = 0;
    for (char *p = s; *p != 0; p++)
        p[1] = 1; //~ violated
    free(s);
    return 0;
}
