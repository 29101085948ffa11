// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <ctype.h>
unsigned char __VERIFIER_nondet_uchar(void);
int main(void) {
    int c = __VERIFIER_nondet_uchar();
    assert(!isalnum(c) == !(isalpha(c) || isdigit(c)));
    assert(!isdigit(c) || isxdigit(c) && !ispunct(c) && c - '0' < 10);
    assert(!isupper(c) || islower(tolower(c)) && toupper(tolower(c)) == c);
    assert(isdigit(-1) == 0 && !isspace(-1));
    return 0;
}
