/* <wchar.h>, <wctype.h>, and what <stdlib.h> says of several bytes: the locale is "C", a byte is a character. */

size_t wcslen(const int *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

int *wcscpy(int *dst, const int *src)
{
    size_t n = 0;
    while (src[n]) {
        dst[n] = src[n];
        n++;
    }
    dst[n] = 0;
    __hardbop_apart(dst, src, (n + 1) * sizeof(int));
    return dst;
}

int *wcsncpy(int *dst, const int *src, size_t n)
{
    size_t i = 0;
    for (; i < n && src[i]; i++)
        dst[i] = src[i];
    for (; i < n; i++)
        dst[i] = 0;
    return dst;
}

int *wcscat(int *dst, const int *src)
{
    wcscpy(dst + wcslen(dst), src);
    return dst;
}

int wcscmp(const int *a, const int *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return __hardbop_order(a[i], b[i]);
}

int wcsncmp(const int *a, const int *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && a[i] == b[i])
        i++;
    return i == n ? 0 : __hardbop_order(a[i], b[i]);
}

int *wcschr(const int *s, int c)
{
    while (*s != c) {
        if (!*s)
            return 0;
        s++;
    }
    return (int *)s;
}

int *wcsrchr(const int *s, int c)
{
    int *last = 0;
    for (;; s++) {
        if (*s == c)
            last = (int *)s;
        if (!*s)
            return last;
    }
}

int *wmemcpy(int *dst, const int *src, size_t n)
{
    return memcpy(dst, src, n * sizeof(int));
}

int *wmemset(int *dst, int c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        dst[i] = c;
    return dst;
}

int mblen(const char *s, size_t n)
{
    if (!s)
        return 0;
    if (n == 0)
        return -1;
    return *s == 0 ? 0 : (unsigned char)*s < 128 ? 1 : -1;
}

int mbtowc(int *to, const char *s, size_t n)
{
    int length = mblen(s, n);
    if (s && length >= 0 && to)
        *to = (unsigned char)*s;
    return length;
}

int wctomb(char *to, int c)
{
    if (!to)
        return 0;
    if (c < 0 || c > 127)
        return -1;
    *to = (char)c;
    return 1;
}

size_t mbstowcs(int *to, const char *from, size_t n)
{
    size_t i = 0;
    for (; !to || i < n; i++) {
        if ((unsigned char)from[i] > 127)
            return ~0UL;
        if (to)
            to[i] = from[i];
        if (!from[i])
            break;
    }
    return i;
}

size_t wcstombs(char *to, const int *from, size_t n)
{
    size_t i = 0;
    for (; !to || i < n; i++) {
        if (from[i] < 0 || from[i] > 127)
            return ~0UL;
        if (to)
            to[i] = (char)from[i];
        if (!from[i])
            break;
    }
    return i;
}

int __hardbop_wide(unsigned c)
{
    return c < 128 ? (int)c : 0;
}

int iswalpha(unsigned c)
{
    return isalpha(__hardbop_wide(c));
}

int iswdigit(unsigned c)
{
    return isdigit(__hardbop_wide(c));
}

int iswalnum(unsigned c)
{
    return isalnum(__hardbop_wide(c));
}

int iswspace(unsigned c)
{
    return isspace(__hardbop_wide(c));
}

int iswupper(unsigned c)
{
    return isupper(__hardbop_wide(c));
}

int iswlower(unsigned c)
{
    return islower(__hardbop_wide(c));
}

unsigned towupper(unsigned c)
{
    return c >= 'a' && c <= 'z' ? c - 'a' + 'A' : c;
}

unsigned towlower(unsigned c)
{
    return c >= 'A' && c <= 'Z' ? c - 'A' + 'a' : c;
}
