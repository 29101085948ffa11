// expect: unsafe
#include <stdarg.h>
static double first(int n, ...) {
    va_list list;
    va_start(list, n);
    double value = va_arg(list, double); //~ violated
    va_end(list);
    return value;
}
int main(void) { return first(1, 5) > 0; }
