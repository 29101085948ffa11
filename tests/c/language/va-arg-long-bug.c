// expect: unsafe
#include <stdarg.h>
static long long first(int n, ...) {
    va_list list;
    va_start(list, n);
    long long value = n > 1 ? va_arg(list, int) : va_arg(list, long long); //~ violated
    va_end(list);
    return value;
}
int main(int argc, char **argv) { return first(argc, argc) > 0; }
