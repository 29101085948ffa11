// expect: safe
#include <assert.h>
#include <stdarg.h>
#include <stddef.h>
struct pair { int x, y; };
static long sum(const char *kinds, ...) {
    va_list list;
    va_start(list, kinds);
    long all = 0;
    for (; *kinds; kinds++) switch (*kinds) {
        case 'i': all += va_arg(list, int); break;
        case 'u': all += va_arg(list, unsigned); break;
        case 'l': all += va_arg(list, long); break;
        case 'd': all += va_arg(list, double); break;
        case 'p': all += *(int *)va_arg(list, void *); break;
        case 's': all += va_arg(list, struct pair).y; break;
    }
    va_end(list);
    return all;
}
int main(void) {
    int n = 5;
    struct pair both = { 6, 7 };
    char small = 1;
    assert(sum("iuldpsi", 1, 2, 3L, 4.0f, &n, both, small) == 23);
    return 0;
}
