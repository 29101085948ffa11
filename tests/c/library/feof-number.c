// expect: safe
// A number that ends the file has been looked behind.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int n, c;
    if (scanf("%d", &n) != 1)
        return 0;
    if (feof(stdin)) {
        assert(getchar() == EOF);
        return 0;
    }
    c = getchar();
    assert(c != EOF);
    return 0;
}
