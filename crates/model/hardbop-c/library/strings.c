/* <strings.h>: the older names, and comparing without case. */

void bcopy(const void *src, void *dst, size_t n)
{
    memmove(dst, src, n);
}

void bzero(void *dst, size_t n)
{
    memset(dst, 0, n);
}

void explicit_bzero(void *dst, size_t n)
{
    memset(dst, 0, n);
}

int bcmp(const void *a, const void *b, size_t n)
{
    return memcmp(a, b, n);
}

char *index(const char *s, int c)
{
    return strchr(s, c);
}

char *rindex(const char *s, int c)
{
    return strrchr(s, c);
}

int ffs(int x)
{
    return __builtin_ffs(x);
}

int ffsl(long x)
{
    return __builtin_ffsl(x);
}

int ffsll(long long x)
{
    return __builtin_ffsll(x);
}

int __hardbop_folded(unsigned char c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}

int strcasecmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && __hardbop_folded(a[i]) == __hardbop_folded(b[i]))
        i++;
    return __hardbop_order(__hardbop_folded(a[i]), __hardbop_folded(b[i]));
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && __hardbop_folded(a[i]) == __hardbop_folded(b[i]))
        i++;
    return i == n ? 0 : __hardbop_order(__hardbop_folded(a[i]), __hardbop_folded(b[i]));
}
