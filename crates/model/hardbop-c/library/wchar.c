/* <wchar.h>, <wctype.h>, and what <stdlib.h> says of several bytes: the locale is "C", a byte is a character. */

size_t wcslen(const int *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

/* A copy that has a byte for each character; the caller frees it. */
char *__hardbop_narrow(const int *s)
{
    size_t n = wcslen(s);
    char *text = malloc(n + 1);
    for (size_t i = 0; i <= n; i++)
        text[i] = s[i] >= 0 && s[i] < 128 ? (char)s[i] : '?';
    return text;
}

long wcstol(const int *s, int **end, int base)
{
    char *text = __hardbop_narrow(s), *behind;
    long value = strtol(text, &behind, base);
    if (end)
        *end = (int *)s + (behind - text);
    free(text);
    return value;
}

unsigned long wcstoul(const int *s, int **end, int base)
{
    char *text = __hardbop_narrow(s), *behind;
    unsigned long value = strtoul(text, &behind, base);
    if (end)
        *end = (int *)s + (behind - text);
    free(text);
    return value;
}

long long wcstoll(const int *s, int **end, int base)
{
    char *text = __hardbop_narrow(s), *behind;
    long long value = strtoll(text, &behind, base);
    if (end)
        *end = (int *)s + (behind - text);
    free(text);
    return value;
}

unsigned long long wcstoull(const int *s, int **end, int base)
{
    char *text = __hardbop_narrow(s), *behind;
    unsigned long long value = strtoull(text, &behind, base);
    if (end)
        *end = (int *)s + (behind - text);
    free(text);
    return value;
}

double wcstod(const int *s, int **end)
{
    char *text = __hardbop_narrow(s), *behind;
    double value = strtod(text, &behind);
    if (end)
        *end = (int *)s + (behind - text);
    free(text);
    return value;
}

float wcstof(const int *s, int **end)
{
    char *text = __hardbop_narrow(s), *behind;
    float value = strtof(text, &behind);
    if (end)
        *end = (int *)s + (behind - text);
    free(text);
    return value;
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

int *wcpcpy(int *dst, const int *src)
{
    wcscpy(dst, src);
    return dst + wcslen(dst);
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

int wcscasecmp(const int *a, const int *b)
{
    size_t i = 0;
    while (a[i] && towlower(a[i]) == towlower(b[i]))
        i++;
    return __hardbop_order(towlower(a[i]), towlower(b[i]));
}

int wcsncasecmp(const int *a, const int *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && towlower(a[i]) == towlower(b[i]))
        i++;
    return i == n ? 0 : __hardbop_order(towlower(a[i]), towlower(b[i]));
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

/* What MB_CUR_MAX stands for: there is the locale "C" (see locale.c). */
size_t __ctype_get_mb_cur_max(void)
{
    return 1;
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

int iswblank(unsigned c)
{
    return isblank(__hardbop_wide(c));
}

/* What is no byte of the locale is no control character, either. */
int iswcntrl(unsigned c)
{
    return c < 128 ? iscntrl((int)c) : 0;
}

int iswgraph(unsigned c)
{
    return isgraph(__hardbop_wide(c));
}

int iswprint(unsigned c)
{
    return isprint(__hardbop_wide(c));
}

int iswpunct(unsigned c)
{
    return ispunct(__hardbop_wide(c));
}

int iswxdigit(unsigned c)
{
    return isxdigit(__hardbop_wide(c));
}

unsigned btowc(int c)
{
    return c >= 0 && c < 128 ? (unsigned)c : ~0U;
}

int wctob(unsigned c)
{
    return c < 128 ? (int)c : -1;
}

int *wcsncat(int *dst, const int *src, size_t n)
{
    size_t length = wcslen(dst), i = 0;
    for (; i < n && src[i]; i++)
        dst[length + i] = src[i];
    dst[length + i] = 0;
    return dst;
}

int wcscoll(const int *a, const int *b)
{
    return wcscmp(a, b);
}

size_t wcsnlen(const int *s, size_t most)
{
    size_t n = 0;
    while (n < most && s[n])
        n++;
    return n;
}

int *wcsdup(const int *s)
{
    size_t n = wcslen(s) + 1;
    int *copy = malloc(n * sizeof(int));
    if (!copy)
        return 0;
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    return copy;
}

size_t wcsspn(const int *s, const int *set)
{
    size_t n = 0;
    while (s[n] && wcschr(set, s[n]))
        n++;
    return n;
}

size_t wcscspn(const int *s, const int *set)
{
    size_t n = 0;
    while (s[n] && !wcschr(set, s[n]))
        n++;
    return n;
}

int *wcspbrk(const int *s, const int *set)
{
    s += wcscspn(s, set);
    return *s ? (int *)s : 0;
}

int *wcsstr(const int *text, const int *part)
{
    size_t n = wcslen(part);
    for (;; text++) {
        if (wcsncmp(text, part, n) == 0)
            return (int *)text;
        if (!*text)
            return 0;
    }
}

int *wcstok(int *s, const int *set, int **rest)
{
    int *from = s ? s : *rest;
    from += wcsspn(from, set);
    if (!*from) {
        *rest = from;
        return 0;
    }
    int *end = from + wcscspn(from, set);
    if (*end)
        *end++ = 0;
    *rest = end;
    return from;
}

int *wmemmove(int *dst, const int *src, size_t n)
{
    return memmove(dst, src, n * sizeof(int));
}

int wmemcmp(const int *a, const int *b, size_t n)
{
    __hardbop_readable(a, n * sizeof(int));
    __hardbop_readable(b, n * sizeof(int));
    for (size_t i = 0; i < n; i++)
        if (a[i] != b[i])
            return __hardbop_order(a[i], b[i]);
    return 0;
}

int *wmemchr(const int *s, int c, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (s[i] == c)
            return (int *)(s + i);
    return 0;
}

/* In the locale "C" there is nothing to remember between two calls. */

size_t mbrtowc(int *to, const char *s, size_t n, void *state)
{
    if (!s)
        return 0;
    if (n == 0)
        return (size_t)-2;
    int length = mbtowc(to, s, n);
    if (length < 0)
        __hardbop_errno = 84;
    return (size_t)length;
}

size_t mbrlen(const char *s, size_t n, void *state)
{
    return mbrtowc(0, s, n, state);
}

size_t wcrtomb(char *to, int c, void *state)
{
    if (!to)
        return 1;
    int length = wctomb(to, c);
    if (length < 0)
        __hardbop_errno = 84;
    return (size_t)length;
}

int mbsinit(const void *state)
{
    return 1;
}

unsigned fgetwc(struct __hardbop_file *f)
{
    int c = fgetc(f);
    if (c > 127)
        __hardbop_unsupported("a byte above 127 as a wide character");
    return c < 0 ? ~0U : (unsigned)c;
}

unsigned getwc(struct __hardbop_file *f)
{
    return fgetwc(f);
}

unsigned getwchar(void)
{
    return fgetwc(&__hardbop_stdin);
}

unsigned fputwc(int c, struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    return c >= 0 && c < 128 ? (unsigned)c : ~0U;
}

unsigned putwc(int c, struct __hardbop_file *f)
{
    return fputwc(c, f);
}

unsigned putwchar(int c)
{
    return fputwc(c, &__hardbop_stdout);
}

int fputws(const int *s, struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    wcslen(s);
    return 1;
}

/* Output of wide characters goes nowhere; its format is not looked into. */

int wprintf(const int *format, ...)
{
    __hardbop_assumed("the arguments of `wprintf` and its like fit the format");
    wcslen(format);
    return __hardbop_any_int("wprintf");
}

int fwprintf(struct __hardbop_file *f, const int *format, ...)
{
    __hardbop_open_file(f);
    return wprintf(format);
}
