/*
 * What proofs about loops get in the place of functions that go along texts: bodies without a loop. Each asks for at
 * least what the function of the same name in the other files asks for, and may do all that this does, and more: a text
 * of any length, an end that lies anywhere in it, any number. So a program that is safe with these is safe, and nothing
 * else follows. Soundness: tests/c/library/brief says of each function what is assumed here.
 */

typedef unsigned long size_t;

/* How far the end of a text is: the one thing that has no words. Who proves something takes the call of this function
   for what it says, not its body. */
size_t __hardbop_length(const char *s)
{
    size_t n = 0;
    while (s[n])
        n++;
    return n;
}

/* A number up to another one. */
size_t __hardbop_up_to(size_t most)
{
    size_t n = __hardbop_any_ulong("library");
    __hardbop_assume(n <= most);
    return n;
}

/* ---- <string.h> ---- */

size_t strlen(const char *s)
{
    return __hardbop_length(s);
}

char *strcpy(char *dst, const char *src)
{
    size_t n = __hardbop_length(src);
    __hardbop_apart(dst, src, n + 1);
    memcpy(dst, src, n + 1);
    return dst;
}

char *stpcpy(char *dst, const char *src)
{
    size_t n = __hardbop_length(src);
    __hardbop_apart(dst, src, n + 1);
    memcpy(dst, src, n + 1);
    return dst + n;
}

/* Behind the text zeros are written up to the end. */
char *strncpy(char *dst, const char *src, size_t n)
{
    size_t length = __hardbop_length(src);
    if (n == 0)
        return dst;
    __hardbop_apart(dst, src, length < n ? length + 1 : n);
    __hardbop_writable(dst, n);
    __hardbop_any_bytes(dst);
    if (length < n)
        dst[length] = 0;
    return dst;
}

char *strcat(char *dst, const char *src)
{
    strcpy(dst + __hardbop_length(dst), src);
    return dst;
}

char *strncat(char *dst, const char *src, size_t n)
{
    size_t length = __hardbop_length(dst), more = __hardbop_length(src);
    if (more > n)
        more = n;
    __hardbop_apart(dst + length, src, more + 1);
    memcpy(dst + length, src, more);
    dst[length + more] = 0;
    return dst;
}

int strcmp(const char *a, const char *b)
{
    __hardbop_length(a);
    __hardbop_length(b);
    return __hardbop_any_int("library");
}

int strncmp(const char *a, const char *b, size_t n)
{
    if (n == 0)
        return 0;
    return strcmp(a, b);
}

int strcasecmp(const char *a, const char *b)
{
    return strcmp(a, b);
}

int strncasecmp(const char *a, const char *b, size_t n)
{
    return strncmp(a, b, n);
}

int memcmp(const void *a, const void *b, size_t n)
{
    __hardbop_readable(a, n);
    __hardbop_readable(b, n);
    return n ? __hardbop_any_int("library") : 0;
}

void *memchr(const void *s, int c, size_t n)
{
    __hardbop_readable(s, n);
    if (n == 0 || __hardbop_any_bool("library"))
        return 0;
    return (char *)s + __hardbop_up_to(n - 1);
}

char *strchr(const char *s, int c)
{
    size_t n = __hardbop_length(s);
    if ((char)c == 0)
        return (char *)s + n;
    if (n == 0 || __hardbop_any_bool("library"))
        return 0;
    size_t at = __hardbop_up_to(n - 1);
    __hardbop_assume(s[at] == (char)c);
    return (char *)s + at;
}

char *strrchr(const char *s, int c)
{
    return strchr(s, c);
}

char *strchrnul(const char *s, int c)
{
    size_t n = __hardbop_length(s);
    return (char *)s + __hardbop_up_to(n);
}

char *strstr(const char *hay, const char *needle)
{
    size_t n = __hardbop_length(hay), m = __hardbop_length(needle);
    if (m > n || __hardbop_any_bool("library"))
        return 0;
    return (char *)hay + __hardbop_up_to(n - m);
}

char *strcasestr(const char *hay, const char *needle)
{
    return strstr(hay, needle);
}

size_t strspn(const char *s, const char *set)
{
    size_t n = __hardbop_length(s);
    __hardbop_length(set);
    return __hardbop_up_to(n);
}

size_t strcspn(const char *s, const char *set)
{
    return strspn(s, set);
}

char *strndup(const char *s, size_t max)
{
    size_t n = __hardbop_length(s);
    if (n > max)
        n = max;
    char *copy = malloc(n + 1);
    if (!copy)
        return 0;
    memcpy(copy, s, n);
    copy[n] = 0;
    return copy;
}

/* ---- <stdlib.h> ---- */

struct __hardbop_number {
    unsigned long long magnitude;
    int is_negative;
    int is_large;
};

struct __hardbop_number __hardbop_read_number(const char *s, char **end, int base,
                                              unsigned long long limit, unsigned long long negative_limit)
{
    struct __hardbop_number n = {0, 0, 0};
    __hardbop_check(base == 0 || base >= 2 && base <= 36, "library", "the base may be none");
    size_t length = __hardbop_length(s);
    if (end)
        *end = (char *)s + __hardbop_up_to(length);
    n.is_negative = __hardbop_any_bool("library");
    n.is_large = __hardbop_any_bool("library");
    n.magnitude = __hardbop_any_ulonglong("library");
    __hardbop_assume(n.magnitude <= (n.is_negative ? negative_limit : limit));
    if (n.is_large)
        __hardbop_errno = 34;
    return n;
}

double strtod(const char *s, char **end)
{
    size_t length = __hardbop_length(s);
    if (end)
        *end = (char *)s + __hardbop_up_to(length);
    if (__hardbop_any_bool("library"))
        __hardbop_errno = 34;
    return __hardbop_any_double("library");
}

/* ---- <stdio.h> ---- */

void __hardbop_text(const char *text)
{
    __hardbop_length(text);
}

/* A stream has been read from. */
void __hardbop_has_read(struct __hardbop_file *f)
{
    f->held = __hardbop_any_int("library");
    f->pending = __hardbop_any_int("library");
    f->is_at_end = __hardbop_any_bool("library");
}

char *fgets(char *s, int n, struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    if (n <= 0)
        return 0;
    __hardbop_has_read(f);
    if (n > 1 && __hardbop_any_bool("library"))
        return 0;
    __hardbop_writable(s, (size_t)n);
    __hardbop_any_bytes(s);
    size_t length = __hardbop_up_to((size_t)n - 1);
    __hardbop_assume(n == 1 || length > 0);
    s[length] = 0;
    return s;
}

size_t fread(void *to, size_t size, size_t n, struct __hardbop_file *f)
{
    size_t all = size * n;
    __hardbop_open_file(f);
    if (!size || !n)
        return 0;
    __hardbop_check(all / n == size, "bounds", "the bytes read may lie outside of their object");
    __hardbop_has_read(f);
    __hardbop_writable(to, all);
    __hardbop_any_bytes(to);
    return __hardbop_up_to(n);
}

/* Streams that are left open are lost here; elsewhere a list of all holds them. */
struct __hardbop_file *__hardbop_new_file(void)
{
    struct __hardbop_file *f = malloc(sizeof *f);
    if (!f)
        return 0;
    f->is_stdin = f->is_stdout = f->is_closed = f->is_at_end = f->is_in_error = 0;
    f->is_made = 1;
    f->held = -1;
    f->pending = 0;
    f->before = f->after = 0;
    return f;
}

/* What fopen did not make are the three standard streams: to know that, nobody has to look at its bytes. */
int fclose(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    if (f == &__hardbop_stdin || f == &__hardbop_stdout || f == &__hardbop_stderr) {
        f->is_closed = __hardbop_some_closed = 1;
        return 0;
    }
    free(f);
    return __hardbop_any_bool("library") ? -1 : 0;
}
