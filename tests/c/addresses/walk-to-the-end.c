// expect: safe
// A walk through a text of any length ends at its terminator, also where the walk writes before it.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1) n = 1;
    char *s = malloc(n);
    if (!s) return 1;
    s[n - 1] = 0;
    for (char *p = s; *p != 0; p++)
        if (*p == 'a') *p = 'b';
    free(s);
    return 0;
}
