// expect: safe
// options: --property assert,bounds,library
// models: lp64 ilp32
#include <assert.h>
#include <stdio.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    char text[16];
    wchar_t word[] = L"ab";
    int n = snprintf(text, sizeof text, "%ls|%lc|%'d", word, (wint_t)L'z', 1234);
    assert(n == 9 && strcmp(text, "ab|z|1234") == 0);
    assert(snprintf(text, 5, "%4.1ls", word) == 4 && strcmp(text, "   a") == 0);
    printf("%ls\n", word);
    return 0;
}
