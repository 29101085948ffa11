// expect: safe
#include <assert.h>
#include <locale.h>
#include <string.h>
int main(void)
{
    struct lconv *now = localeconv();
    assert(strcmp(now->decimal_point, ".") == 0);
    assert(*now->thousands_sep == 0 && now->frac_digits == 127);
    return 0;
}
