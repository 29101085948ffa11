// The same with wide characters.
// expect: unsafe
// options: --property index
// models: lp64 ilp32
#include <wchar.h>

struct record {
    wchar_t name[4];
    int number;
};

int main(void)
{
    struct record r;
    wcscpy(r.name, L"abc");
    wcscpy(r.name, L"abcd"); //~ violated
    return 0;
}
