/*
 * <string.h>. Reading or writing beyond an object is found where it happens: a string that does not end is
 * one of these. memcpy, memmove, memset and malloc are instructions of the program itself.
 */

typedef unsigned long size_t;

/* Of the result of a comparison C fixes the sign alone. */
int __hardbop_order(int a, int b)
{
    if (a == b)
        return 0;
    int more = __hardbop_any_int("<string.h>") & 0x7fffffff;
    return a < b ? -1 - more : more < 0x7fffffff ? 1 + more : 1;
}

size_t strlen(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

size_t strnlen(const char *s, size_t max)
{
    size_t n = 0;
    while (n < max && s[n])
        n++;
    return n;
}

char *strcpy(char *dst, const char *src)
{
    size_t n = strlen(src);
    __hardbop_apart(dst, src, n + 1);
    for (size_t i = 0; i < n; i++)
        dst[i] = src[i];
    dst[n] = 0;
    return dst;
}

char *stpcpy(char *dst, const char *src)
{
    strcpy(dst, src);
    return dst + strlen(src);
}

char *strncpy(char *dst, const char *src, size_t n)
{
    size_t i = 0;
    while (i < n && src[i]) {
        dst[i] = src[i];
        i++;
    }
    __hardbop_apart(dst, src, i < n ? i + 1 : n);
    while (i < n) {
        dst[i] = 0;
        i++;
    }
    return dst;
}

char *stpncpy(char *dst, const char *src, size_t n)
{
    size_t i = 0;
    strncpy(dst, src, n);
    while (i < n && dst[i])
        i++;
    return dst + i;
}

char *strcat(char *dst, const char *src)
{
    strcpy(dst + strlen(dst), src);
    return dst;
}

char *strncat(char *dst, const char *src, size_t n)
{
    size_t length = strlen(dst), i = 0;
    while (i < n && src[i]) {
        dst[length + i] = src[i];
        i++;
    }
    dst[length + i] = 0;
    __hardbop_apart(dst + length, src, i + 1);
    return dst;
}

size_t strlcpy(char *dst, const char *src, size_t size)
{
    size_t n = 0;
    while (src[n]) {
        if (n + 1 < size)
            dst[n] = src[n];
        n++;
    }
    if (size)
        dst[n < size ? n : size - 1] = 0;
    return n;
}

size_t strlcat(char *dst, const char *src, size_t size)
{
    size_t length = strnlen(dst, size);
    if (length == size)
        return size + strlen(src);
    return length + strlcpy(dst + length, src, size - length);
}

int strcmp(const char *a, const char *b)
{
    size_t i = 0;
    while (a[i] && a[i] == b[i])
        i++;
    return __hardbop_order((unsigned char)a[i], (unsigned char)b[i]);
}

int strncmp(const char *a, const char *b, size_t n)
{
    size_t i = 0;
    while (i < n && a[i] && a[i] == b[i])
        i++;
    return i == n ? 0 : __hardbop_order((unsigned char)a[i], (unsigned char)b[i]);
}

int strcoll(const char *a, const char *b)
{
    return strcmp(a, b);
}

size_t strxfrm(char *dst, const char *src, size_t n)
{
    size_t length = strlen(src);
    if (length < n)
        strcpy(dst, src);
    else
        strncpy(dst, src, n);
    return length;
}

/* Both have n bytes, also where an earlier one decides. */
int memcmp(const void *a, const void *b, size_t n)
{
    __hardbop_readable(a, n);
    __hardbop_readable(b, n);
    const unsigned char *x = a, *y = b;
    size_t i = 0;
    while (i < n && x[i] == y[i])
        i++;
    return i == n ? 0 : __hardbop_order(x[i], y[i]);
}

void *memchr(const void *s, int c, size_t n)
{
    const unsigned char *x = s;
    for (size_t i = 0; i < n; i++)
        if (x[i] == (unsigned char)c)
            return (void *)(x + i);
    return 0;
}

void *memrchr(const void *s, int c, size_t n)
{
    const unsigned char *x = s;
    while (n > 0) {
        n--;
        if (x[n] == (unsigned char)c)
            return (void *)(x + n);
    }
    return 0;
}

void *rawmemchr(const void *s, int c)
{
    const unsigned char *x = s;
    while (*x != (unsigned char)c)
        x++;
    return (void *)x;
}

void *memccpy(void *dst, const void *src, int c, size_t n)
{
    unsigned char *to = dst;
    const unsigned char *from = src;
    size_t i = 0;
    while (i < n) {
        to[i] = from[i];
        i++;
        if (from[i - 1] == (unsigned char)c) {
            __hardbop_apart(dst, src, i);
            return to + i;
        }
    }
    __hardbop_apart(dst, src, n);
    return 0;
}

void *mempcpy(void *dst, const void *src, size_t n)
{
    memcpy(dst, src, n);
    return (char *)dst + n;
}

void *memmem(const void *hay, size_t n, const void *needle, size_t m)
{
    const unsigned char *x = hay, *y = needle;
    for (size_t i = 0; i + m <= n; i++) {
        size_t j = 0;
        while (j < m && x[i + j] == y[j])
            j++;
        if (j == m)
            return (void *)(x + i);
    }
    return 0;
}

char *strchr(const char *s, int c)
{
    while (*s != (char)c) {
        if (!*s)
            return 0;
        s++;
    }
    return (char *)s;
}

char *strchrnul(const char *s, int c)
{
    while (*s && *s != (char)c)
        s++;
    return (char *)s;
}

char *strrchr(const char *s, int c)
{
    char *last = 0;
    for (;; s++) {
        if (*s == (char)c)
            last = (char *)s;
        if (!*s)
            return last;
    }
}

char *strstr(const char *hay, const char *needle)
{
    for (size_t i = 0;; i++) {
        size_t j = 0;
        while (needle[j] && hay[i + j] == needle[j])
            j++;
        if (!needle[j])
            return (char *)hay + i;
        if (!hay[i])
            return 0;
    }
}

char *strcasestr(const char *hay, const char *needle)
{
    for (size_t i = 0;; i++) {
        size_t j = 0;
        while (needle[j] && __hardbop_folded(hay[i + j]) == __hardbop_folded(needle[j]))
            j++;
        if (!needle[j])
            return (char *)hay + i;
        if (!hay[i])
            return 0;
    }
}

/* Whether a character other than 0 is in a set. */
int __hardbop_is_in(char c, const char *set)
{
    while (*set) {
        if (*set == c)
            return 1;
        set++;
    }
    return 0;
}

size_t strspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && __hardbop_is_in(s[n], set))
        n++;
    return n;
}

size_t strcspn(const char *s, const char *set)
{
    size_t n = 0;
    while (s[n] && !__hardbop_is_in(s[n], set))
        n++;
    return n;
}

char *strpbrk(const char *s, const char *set)
{
    s += strcspn(s, set);
    return *s ? (char *)s : 0;
}

char *strtok_r(char *s, const char *set, char **state)
{
    if (!s)
        s = *state;
    __hardbop_check(s != 0, "null", "there may be no string to go on with");
    s += strspn(s, set);
    if (!*s) {
        *state = s;
        return 0;
    }
    char *end = s + strcspn(s, set);
    if (*end)
        *end++ = 0;
    *state = end;
    return s;
}

char *__hardbop_strtok_state;

char *strtok(char *s, const char *set)
{
    return strtok_r(s, set, &__hardbop_strtok_state);
}

char *strsep(char **state, const char *set)
{
    char *s = *state;
    if (!s)
        return 0;
    char *end = s + strcspn(s, set);
    if (*end)
        *end++ = 0;
    else
        end = 0;
    *state = end;
    return s;
}

char *strdup(const char *s)
{
    char *copy = malloc(strlen(s) + 1);
    return copy ? strcpy(copy, s) : 0;
}

char *strndup(const char *s, size_t max)
{
    size_t n = strnlen(s, max);
    char *copy = malloc(n + 1);
    if (!copy)
        return 0;
    for (size_t i = 0; i < n; i++)
        copy[i] = s[i];
    copy[n] = 0;
    return copy;
}

char *strrev(char *s)
{
    size_t n = strlen(s);
    for (size_t i = 0; i < n / 2; i++) {
        char c = s[i];
        s[i] = s[n - 1 - i];
        s[n - 1 - i] = c;
    }
    return s;
}

/* What the text says, C leaves open. */
char __hardbop_error_text[50];

char *strerror(int number)
{
    char *text = __hardbop_error_text;
    if (number == 0)
        return strcpy(text, "Success");
    /* The system's texts have up to 49 bytes, and 25 of "No such file or directory". */
    __hardbop_assumed("what `strerror` says is some text of 1 to 49 bytes");
    size_t n = __hardbop_any_uchar("strerror");
    if (n == 0 || n > 49)
        n = 25;
    memset(text, 'x', 49);
    text[n] = 0;
    return text;
}

int strerror_r(int number, char *text, size_t size)
{
    const char *said = strerror(number);
    if (size <= strlen(said)) {
        if (size > 0)
            text[0] = 0;
        return 34;
    }
    strcpy(text, said);
    return 0;
}

char *strsignal(int number)
{
    return strerror(number);
}

/* Addresses of functions that are instructions. */

void *__hardbop_address_of_memcpy(void *dst, const void *src, size_t n)
{
    return memcpy(dst, src, n);
}

void *__hardbop_address_of_memmove(void *dst, const void *src, size_t n)
{
    return memmove(dst, src, n);
}

void *__hardbop_address_of_memset(void *dst, int c, size_t n)
{
    return memset(dst, c, n);
}

/* <libgen.h>: the last part of a path, and what stands before it. */

char __hardbop_dot_text[2];

char *__hardbop_dot(void)
{
    return strcpy(__hardbop_dot_text, ".");
}

char *__xpg_basename(char *path)
{
    if (!path || !*path)
        return __hardbop_dot();
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        path[--n] = 0;
    if (n == 1)
        return path;
    char *last = strrchr(path, '/');
    return last ? last + 1 : path;
}

/* That of <string.h>, which changes nothing. */
char *basename(const char *path)
{
    const char *last = strrchr(path, '/');
    return (char *)(last ? last + 1 : path);
}

char *dirname(char *path)
{
    if (!path || !*path)
        return __hardbop_dot();
    size_t n = strlen(path);
    while (n > 1 && path[n - 1] == '/')
        n--;
    while (n > 0 && path[n - 1] != '/')
        n--;
    if (n == 0)
        return __hardbop_dot();
    while (n > 1 && path[n - 1] == '/')
        n--;
    path[n] = 0;
    return path;
}
