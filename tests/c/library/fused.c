// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <wchar.h>
int main(void) {
    int quotient;
    wchar_t *end;
    assert(fma(2, 3, 4) == 10 && fmaf(0.5f, 3, -1) == 0.5f);
    assert(remquo(7, 2, &quotient) == -1 && quotient == 4);
    assert(remquo(-7, 2, &quotient) == 1 && quotient == -4);
    assert(nexttoward(1.0, 2.0L) > 1.0);
    assert(strtod("0x1.8p3", 0) == 12 && strtod("-0xA", 0) == -10 && strtod("0x", 0) == 0);
    assert(wcstol(L"-12x", &end, 10) == -12 && *end == L'x');
    return 0;
}
