// expect: safe
// Rounded once, from all digits, to the type of the constant.
#include <assert.h>
int main(void) {
    assert(0x1.00000000000008p0 == 1.0);
    assert(0x1.0000000000000801p0 == 0x1.0000000000001p0);
    assert(0x1.00000000000018p0 == 0x1.0000000000002p0);
    assert(0x1.000001000000000001p0f == 0x1.000002p0f);
    assert(0x1.000001p0f == 1.0f);
    assert(0x1.8p-1075 == 0x1p-1074 && 0x1p-1075 == 0.0 && 0x1.00000000001p-1075 == 0x1p-1074);
    assert(0x10000000000000000000000000000000000000001p-160 == 1.0);
    assert(0x.00000000000000000000000000000000000001p152 == 1.0);
    assert(0x1.fffffffffffffp1023 < 0x1p1024);
    return 0;
}
