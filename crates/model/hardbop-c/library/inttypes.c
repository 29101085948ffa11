/* <inttypes.h>: the widest whole numbers. */

long long imaxabs(long long x)
{
    return llabs(x);
}

struct __hardbop_lldiv imaxdiv(long long x, long long y)
{
    return lldiv(x, y);
}

long long strtoimax(const char *s, char **end, int base)
{
    return strtoll(s, end, base);
}

unsigned long long strtoumax(const char *s, char **end, int base)
{
    return strtoull(s, end, base);
}
