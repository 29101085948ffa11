// expect: unknown(unsupported)
// says: `ecvt`
#include <assert.h>
#include <stdlib.h>
int main(void) {
    int point, is_negative;
    char *digits = ecvt(2.5, 2, &point, &is_negative);
    assert(digits[0] == '2');
    return 0;
}
