// expect: safe
// options: --property valid-memtrack
// models: lp64 ilp32
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct Text {
    char *bytes;
    int length;
};
static void at_most(struct Text *text, int n) {
    char *copy = malloc(2);
    if (n > text->length)
        exit(3);
    free(copy);
}
int main(void) {
    struct Text text = {malloc(4), 4};
    at_most(&text, __VERIFIER_nondet_int());
    free(text.bytes);
    return 0;
}
