// expect: unsafe
// Where no number stands the variable keeps what it has, and the next byte is still there.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n = 7;
    if (scanf("%d", &n) != 0)
        return 0;
    assert(n == 7);
    int c = getchar();
    assert(c != EOF);
    assert(c < '0' || c > '9');
    assert(c != 'x'); //~ violated
    return 0;
}
