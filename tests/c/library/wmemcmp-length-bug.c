// expect: unsafe
#include <wchar.h>
int main(void) {
    wchar_t a[2] = { 1, 2 }, b[4] = { 3, 4, 5, 6 };
    return wmemcmp(a, b, 3) == 0; //~ violated
}
