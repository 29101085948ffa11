// expect: unsafe
// says: the next number is
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int a, b;
    if (scanf("%d %d", &a, &b) != 2)
        return 1;
    if (a > 1000 && b > 1000 && a < 2000 && b < 2000)
        assert(a + b != 3007); //~ violated
    return 0;
}
