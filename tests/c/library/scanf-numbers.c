// expect: safe
// models: lp64 ilp32
// Numbers of a stream are values, whatever blanks, signs and zeros stand before them.
#include <assert.h>
#include <stdio.h>
int main(void)
{
    int year, month;
    char after;
    if (scanf("%d-%d%c", &year, &month, &after) != 3)
        return 1;
    assert(after < '0' || after > '9');
    if (month < 1 || month > 12 || year < 0)
        return 1;
    static const int days[] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    assert(days[month - 1] >= 28);
    unsigned char small;
    double half;
    if (scanf(" %hhu %lf", &small, &half) == 2)
        assert(small <= 255);
    return 0;
}
