// expect: unknown(unsupported)
// options: --property assert
#include <assert.h>

int main(void)
{
    int x = 1;
    __asm__("nop; incl %0" : "+r"(x));
    assert(x == 1);
    return 0;
}
