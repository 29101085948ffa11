// expect: safe
// options: --property assert
/* How many bytes a text without conversions has; what putchar wrote; nothing negative, for output succeeds. */
#include <assert.h>
#include <stdio.h>

int main(void)
{
    assert(printf("abc\n") == 4);
    assert(printf("%d\n", 5) >= 0 && puts("x") >= 0 && fprintf(stderr, "%s", "y") >= 0);
    assert(putchar('z') == 'z' && putchar(-1) == 255);
    return 0;
}
