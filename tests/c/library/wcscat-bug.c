// expect: unsafe
#include <wchar.h>
int main(void)
{
    wchar_t text[6] = L"abc";
    wcsncat(text, L"def", 3); //~ violated
    return 0;
}
