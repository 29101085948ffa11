// expect: unsafe
// options: --property assert
#include <assert.h>
#include <string.h>
char __VERIFIER_nondet_char(void);
int main(void) {
    char a[2] = {__VERIFIER_nondet_char(), 0};
    int order = strcmp(a, "b");
    assert(order <= 0 || a[0] > 'b' || a[0] < 0);
    assert(order == -1 || order == 0 || order == 1); //~ violated
    return 0;
}
