// expect: safe
// options: --property assert
/* Instructions that wait, or put accesses in order. */
#include <assert.h>

int main(void)
{
    int x = 1;
    __asm__("nop");
    __asm__ volatile("rep; nop" ::: "memory");
    __asm__ volatile("pause\n\tmfence" : "+r"(x));
    assert(x == 1);
    return 0;
}
