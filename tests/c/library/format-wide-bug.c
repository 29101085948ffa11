// expect: unsafe
// options: --property bounds
#include <stdio.h>
#include <wchar.h>

int main(void)
{
    wchar_t word[2] = {L'a', L'b'};
    printf("%ls\n", word); //~ violated
    return 0;
}
