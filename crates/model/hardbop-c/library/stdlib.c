/* <stdlib.h>: numbers in text, arithmetic, memory, sorting and searching, chance, the end of the program. */

/* ---- numbers in text ---- */

int __hardbop_space(char c)
{
    return c == ' ' || c >= '\t' && c <= '\r';
}

/* The value of a digit of some base; 99 if it is none. */
unsigned __hardbop_digit(char c)
{
    if (c >= '0' && c <= '9')
        return (unsigned)(c - '0');
    if (c >= 'a' && c <= 'z')
        return (unsigned)(c - 'a' + 10);
    if (c >= 'A' && c <= 'Z')
        return (unsigned)(c - 'A' + 10);
    return 99;
}

struct __hardbop_number {
    unsigned long long magnitude;
    int is_negative;
    int is_large;
};

/* Reads a number; end is null or gets the place behind it. Too large is what exceeds the limit. */
struct __hardbop_number __hardbop_read_number(const char *s, char **end, int base,
                                              unsigned long long limit, unsigned long long negative_limit)
{
    struct __hardbop_number n = {0, 0, 0};
    __hardbop_check(base == 0 || base >= 2 && base <= 36, "library", "the base may be none");
    const char *at = s;
    while (__hardbop_space(*at))
        at++;
    if (*at == '-') {
        n.is_negative = 1;
        limit = negative_limit;
        at++;
    } else if (*at == '+') {
        at++;
    }
    if ((base == 0 || base == 16) && at[0] == '0' && (at[1] == 'x' || at[1] == 'X')
        && __hardbop_digit(at[2]) < 16) {
        base = 16;
        at += 2;
    }
    if (base == 0)
        base = *at == '0' ? 8 : 10;
    if (__hardbop_digit(*at) >= (unsigned)base) {
        if (end)
            *end = (char *)s;
        n.is_negative = 0;
        return n;
    }
    /* The usual bases are constants, so that nothing has to be divided. */
    unsigned long long most = base == 10   ? limit / 10
                              : base == 16 ? limit / 16
                              : base == 8  ? limit / 8
                                           : limit / (unsigned)base;
    for (unsigned digit; digit = __hardbop_digit(*at), digit < (unsigned)base; at++) {
        if (n.magnitude > most || n.magnitude * (unsigned)base > limit - digit)
            n.is_large = 1;
        n.magnitude = n.magnitude * (unsigned)base + digit;
    }
    if (end)
        *end = (char *)at;
    if (n.is_large) {
        n.magnitude = limit;
        __hardbop_errno = 34;
    }
    return n;
}

long strtol(const char *s, char **end, int base)
{
    unsigned long most = ~0UL >> 1;
    struct __hardbop_number n = __hardbop_read_number(s, end, base, most, most + 1ULL);
    return n.is_negative ? (long)(0UL - (unsigned long)n.magnitude) : (long)n.magnitude;
}

long long strtoll(const char *s, char **end, int base)
{
    unsigned long long most = ~0ULL >> 1;
    struct __hardbop_number n = __hardbop_read_number(s, end, base, most, most + 1);
    return n.is_negative ? (long long)(0ULL - n.magnitude) : (long long)n.magnitude;
}

unsigned long strtoul(const char *s, char **end, int base)
{
    unsigned long most = ~0UL;
    struct __hardbop_number n = __hardbop_read_number(s, end, base, most, most);
    unsigned long value = (unsigned long)n.magnitude;
    return n.is_negative && !n.is_large ? 0UL - value : value;
}

unsigned long long strtoull(const char *s, char **end, int base)
{
    struct __hardbop_number n = __hardbop_read_number(s, end, base, ~0ULL, ~0ULL);
    return n.is_negative && !n.is_large ? 0ULL - n.magnitude : n.magnitude;
}

int atoi(const char *s)
{
    return (int)strtol(s, 0, 10);
}

long atol(const char *s)
{
    return strtol(s, 0, 10);
}

long long atoll(const char *s)
{
    return strtoll(s, 0, 10);
}

/* Whether a text begins with a word, whatever the case. */
int __hardbop_begins(const char *s, const char *word)
{
    while (*word) {
        if ((*s >= 'A' && *s <= 'Z' ? *s - 'A' + 'a' : *s) != *word)
            return 0;
        s++;
        word++;
    }
    return 1;
}

/*
 * Digits times a power of ten: exact, and rounded once, where the digits fit into the 53 bits of a double and
 * the power is exact, too (Clinger 1990). Other numbers are not modelled.
 */
double __hardbop_scaled(unsigned long long digits, int exponent)
{
    double value = (double)digits, power = 1.0;
    int n = exponent < 0 ? -exponent : exponent;
    if (digits == 0)
        return 0.0;
    if (exponent > 308 || exponent < -350) {
        __hardbop_errno = 34;
        return exponent > 0 ? __builtin_inf() : 0.0;
    }
    if (digits > 9007199254740992ULL || n > 22)
        __hardbop_unsupported("a decimal number of many digits");
    for (; n > 0; n--)
        power *= 10.0;
    return exponent < 0 ? value / power : value * power;
}

/* The digits behind 0x, as long as they fit a double. */
double __hardbop_read_hex(const char *at, char **end)
{
    unsigned long long digits = 0;
    int exponent = 0, is_fraction = 0;
    for (;; at++) {
        if (*at == '.' && !is_fraction) {
            is_fraction = 1;
            continue;
        }
        unsigned digit = __hardbop_digit(*at);
        if (digit >= 16)
            break;
        if (digits >= 1ULL << 49)
            __hardbop_unsupported("a hexadecimal number of many digits");
        digits = digits * 16 + digit;
        exponent -= is_fraction ? 4 : 0;
    }
    if (*at == 'p' || *at == 'P') {
        const char *power = at + 1;
        int is_down = 0, value = 0;
        if (*power == '-' || *power == '+')
            is_down = *power++ == '-';
        if (*power >= '0' && *power <= '9') {
            for (; *power >= '0' && *power <= '9'; power++)
                if (value < 100000)
                    value = value * 10 + (*power - '0');
            exponent += is_down ? -value : value;
            at = power;
        }
    }
    if (end)
        *end = (char *)at;
    double value = (double)digits;
    if (digits && (exponent > 900 || exponent < -900))
        __hardbop_unsupported("a hexadecimal number of a large exponent");
    for (; exponent > 0; exponent--)
        value *= 2.0;
    for (; exponent < 0; exponent++)
        value *= 0.5;
    return value;
}

double strtod(const char *s, char **end)
{
    const char *at = s;
    int is_negative = 0, n_digits = 0, exponent = 0;
    unsigned long long digits = 0;
    while (__hardbop_space(*at))
        at++;
    if (*at == '-' || *at == '+')
        is_negative = *at++ == '-';
    if (__hardbop_begins(at, "inf")) {
        at += __hardbop_begins(at, "infinity") ? 8 : 3;
        if (end)
            *end = (char *)at;
        return is_negative ? -__builtin_inf() : __builtin_inf();
    }
    if (__hardbop_begins(at, "nan")) {
        if (at[3] == '(')
            __hardbop_unsupported("the text of a NaN");
        if (end)
            *end = (char *)at + 3;
        return __builtin_nan("");
    }
    if (at[0] == '0' && (at[1] == 'x' || at[1] == 'X')
        && (__hardbop_digit(at[2]) < 16 || at[2] == '.' && __hardbop_digit(at[3]) < 16)) {
        double magnitude = __hardbop_read_hex(at + 2, end);
        return is_negative ? -magnitude : magnitude;
    }
    int is_fraction = 0;
    for (;; at++) {
        if (*at == '.' && !is_fraction) {
            is_fraction = 1;
            continue;
        }
        if (*at < '0' || *at > '9')
            break;
        n_digits++;
        if (digits > 900719925474099ULL && *at == '0') {
            /* A zero behind all digits that count. */
            exponent += !is_fraction;
            continue;
        }
        if (digits > 900719925474099ULL)
            __hardbop_unsupported("a decimal number of many digits");
        digits = digits * 10 + (unsigned)(*at - '0');
        exponent -= is_fraction;
    }
    if (!n_digits) {
        if (end)
            *end = (char *)s;
        return 0.0;
    }
    if (*at == 'e' || *at == 'E') {
        const char *power = at + 1;
        int is_down = 0, value = 0;
        if (*power == '-' || *power == '+')
            is_down = *power++ == '-';
        if (*power >= '0' && *power <= '9') {
            for (; *power >= '0' && *power <= '9'; power++)
                if (value < 100000)
                    value = value * 10 + (*power - '0');
            exponent += is_down ? -value : value;
            at = power;
        }
    }
    if (end)
        *end = (char *)at;
    /* 5e3 is 5000e0: fewer powers of ten. */
    for (; exponent > 0 && digits != 0 && digits <= 900719925474099ULL; exponent--)
        digits *= 10;
    double value = __hardbop_scaled(digits, exponent);
    return is_negative ? -value : value;
}

float strtof(const char *s, char **end)
{
    /* Rounded twice this may be wrong: only what a double holds exactly as a float is taken. */
    double value = strtod(s, end);
    if ((double)(float)value != value && value == value)
        __hardbop_unsupported("a decimal number that no float equals");
    return (float)value;
}

double atof(const char *s)
{
    return strtod(s, 0);
}

/* ---- arithmetic ---- */

int abs(int x)
{
    __hardbop_check(x != -2147483647 - 1, "overflow", "the absolute value may not fit its type");
    return x < 0 ? -x : x;
}

long labs(long x)
{
    __hardbop_check(x != -(long)(~0UL >> 1) - 1, "overflow", "the absolute value may not fit its type");
    return x < 0 ? -x : x;
}

long long llabs(long long x)
{
    __hardbop_check(x != -(long long)(~0ULL >> 1) - 1, "overflow",
                    "the absolute value may not fit its type");
    return x < 0 ? -x : x;
}

struct __hardbop_div {
    int quot, rem;
};

struct __hardbop_div div(int x, int y)
{
    __hardbop_check(y != 0, "div", "the divisor may be 0");
    __hardbop_check(x != -2147483647 - 1 || y != -1, "overflow", "the quotient may not fit its type");
    struct __hardbop_div result = {x / y, x % y};
    return result;
}

struct __hardbop_ldiv {
    long quot, rem;
};

struct __hardbop_ldiv ldiv(long x, long y)
{
    __hardbop_check(y != 0, "div", "the divisor may be 0");
    __hardbop_check(x != -(long)(~0UL >> 1) - 1 || y != -1, "overflow",
                    "the quotient may not fit its type");
    struct __hardbop_ldiv result = {x / y, x % y};
    return result;
}

struct __hardbop_lldiv {
    long long quot, rem;
};

struct __hardbop_lldiv lldiv(long long x, long long y)
{
    __hardbop_check(y != 0, "div", "the divisor may be 0");
    __hardbop_check(x != -(long long)(~0ULL >> 1) - 1 || y != -1, "overflow",
                    "the quotient may not fit its type");
    struct __hardbop_lldiv result = {x / y, x % y};
    return result;
}

/* ---- memory ---- */

void *realloc(void *old, size_t size)
{
    if (!old)
        return malloc(size);
    __hardbop_freeable(old);
    if (!size) {
        free(old);
        return 0;
    }
    size_t had = __hardbop_size(old);
    void *made = malloc(size);
    if (made) {
        memcpy(made, old, had < size ? had : size);
        free(old);
    }
    return made;
}

void *reallocarray(void *old, size_t n, size_t each)
{
    size_t size;
    if (__builtin_mul_overflow(n, each, &size)) {
        __hardbop_errno = 12;
        return 0;
    }
    return realloc(old, size);
}

void *__hardbop_address_of_malloc(size_t size)
{
    return malloc(size);
}

void *__hardbop_address_of_calloc(size_t n, size_t each)
{
    size_t size;
    if (__builtin_mul_overflow(n, each, &size)) {
        __hardbop_errno = 12;
        return 0;
    }
    void *made = malloc(size);
    if (made)
        memset(made, 0, size);
    return made;
}

void __hardbop_address_of_free(void *old)
{
    free(old);
}

/* The alignment of a power of two; smaller ones than that of malloc are met by it. */
void *__hardbop_aligned(size_t alignment, size_t size)
{
    switch (alignment) {
    case 16: return __hardbop_allocate(16, size);
    case 32: return __hardbop_allocate(32, size);
    case 64: return __hardbop_allocate(64, size);
    case 128: return __hardbop_allocate(128, size);
    case 256: return __hardbop_allocate(256, size);
    case 512: return __hardbop_allocate(512, size);
    case 1024: return __hardbop_allocate(1024, size);
    case 2048: return __hardbop_allocate(2048, size);
    case 4096: return __hardbop_allocate(4096, size);
    }
    if (alignment > 4096)
        __hardbop_unsupported("memory aligned to more than 4096 bytes");
    return malloc(size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    __hardbop_check(alignment != 0 && (alignment & alignment - 1) == 0, "library",
                    "the alignment may be no power of two");
    return __hardbop_aligned(alignment, size);
}

void *memalign(size_t alignment, size_t size)
{
    return aligned_alloc(alignment, size);
}

void *valloc(size_t size)
{
    return __hardbop_allocate(4096, size);
}

int posix_memalign(void **made, size_t alignment, size_t size)
{
    if (alignment < sizeof(void *) || (alignment & alignment - 1) != 0)
        return 22;
    void *memory = __hardbop_aligned(alignment, size);
    if (!memory)
        return 12;
    *made = memory;
    return 0;
}

/* ---- sorting and searching ---- */

/*
 * Which elements are compared how often, and how equal ones end up, C leaves open: this is one way. Neighbours
 * change places, so that places are known where n is.
 */
void qsort(void *base, size_t n, size_t size, int (*compare)(const void *, const void *))
{
    __hardbop_assumed("`qsort` keeps the order of equal elements");
    if (n && size)
        __hardbop_readable(base, n * size);
    if (n < 2 || !size)
        return;
    char *a = base;
    char held[size];
    for (size_t i = 1; i < n; i++) {
        for (size_t at = i; at > 0; at--) {
            char *left = a + (at - 1) * size, *right = a + at * size;
            if (compare(left, right) <= 0)
                break;
            memcpy(held, left, size);
            memcpy(left, right, size);
            memcpy(right, held, size);
        }
    }
}

void qsort_r(void *base, size_t n, size_t size, int (*compare)(const void *, const void *, void *),
             void *context)
{
    __hardbop_assumed("`qsort` keeps the order of equal elements");
    if (n && size)
        __hardbop_readable(base, n * size);
    if (n < 2 || !size)
        return;
    char *a = base;
    char held[size];
    for (size_t i = 1; i < n; i++) {
        for (size_t at = i; at > 0; at--) {
            char *left = a + (at - 1) * size, *right = a + at * size;
            if (compare(left, right, context) <= 0)
                break;
            memcpy(held, left, size);
            memcpy(left, right, size);
            memcpy(right, held, size);
        }
    }
}

void *bsearch(const void *key, const void *base, size_t n, size_t size,
              int (*compare)(const void *, const void *))
{
    size_t low = 0, high = n;
    if (n && size)
        __hardbop_readable(base, n * size);
    while (low < high) {
        size_t at = low + (high - low) / 2;
        const void *element = (const char *)base + at * size;
        int order = compare(key, element);
        if (order == 0)
            return (void *)element;
        if (order < 0)
            high = at;
        else
            low = at + 1;
    }
    return 0;
}

/* ---- chance ---- */

int rand(void)
{
    return __hardbop_any_int("rand") & 0x7fffffff;
}

void srand(unsigned seed)
{
}

int rand_r(unsigned *seed)
{
    *seed = __hardbop_any_uint("rand_r");
    return __hardbop_any_int("rand_r") & 0x7fffffff;
}

long random(void)
{
    return __hardbop_any_int("random") & 0x7fffffff;
}

void srandom(unsigned seed)
{
}

double drand48(void)
{
    return (double)(__hardbop_any_ulonglong("drand48") & 0xffffffffffffULL) / 281474976710656.0;
}

long lrand48(void)
{
    return __hardbop_any_int("lrand48") & 0x7fffffff;
}

long mrand48(void)
{
    return __hardbop_any_int("mrand48");
}

void srand48(long seed)
{
}

unsigned arc4random(void)
{
    return __hardbop_any_uint("arc4random");
}

unsigned arc4random_uniform(unsigned limit)
{
    unsigned value = __hardbop_any_uint("arc4random_uniform");
    return limit ? value % limit : 0;
}

/* ---- the end of the program ---- */

/* C promises 32 places. */
void (*__hardbop_exit_handlers[32])(void);

int __hardbop_exit_count;

int atexit(void (*handler)(void))
{
    if (__hardbop_exit_count == 32)
        return 1;
    __hardbop_exit_handlers[__hardbop_exit_count++] = handler;
    return 0;
}

/* What happens when main returns and in exit: the last one first, and those they register. */
void __hardbop_at_end(void)
{
    while (__hardbop_exit_count > 0)
        __hardbop_exit_handlers[--__hardbop_exit_count]();
}

void (*__hardbop_quick_handlers[32])(void);
int __hardbop_quick_count;

int at_quick_exit(void (*handler)(void))
{
    if (__hardbop_quick_count == 32)
        return 1;
    __hardbop_quick_handlers[__hardbop_quick_count++] = handler;
    return 0;
}

void __hardbop_at_quick_end(void)
{
    while (__hardbop_quick_count > 0)
        __hardbop_quick_handlers[--__hardbop_quick_count]();
}

/* ---- the system ---- */

/* A variable of the environment that was asked for: null, or a text somewhere in an object. */
struct __hardbop_variable {
    char *name, *value;
    struct __hardbop_variable *next;
};

struct __hardbop_variable *__hardbop_variables;

struct __hardbop_variable *__hardbop_find_variable(const char *name)
{
    struct __hardbop_variable *it = __hardbop_variables;
    while (it) {
        size_t i = 0;
        while (name[i] && name[i] == it->name[i])
            i++;
        if (name[i] == it->name[i])
            return it;
        it = it->next;
    }
    return 0;
}

struct __hardbop_variable *__hardbop_new_variable(const char *name)
{
    struct __hardbop_variable *it = malloc(sizeof *it);
    it->name = strdup(name);
    it->value = 0;
    it->next = __hardbop_variables;
    __hardbop_variables = it;
    return it;
}

/* Not set, or any text of up to 65535 bytes; the same whenever it is asked for. */
char *getenv(const char *name)
{
    struct __hardbop_variable *it = __hardbop_find_variable(name);
    if (it)
        return it->value;
    it = __hardbop_new_variable(name);
    if (__hardbop_any_bool("getenv")) {
        /* It is a part of NAME=value, so nothing that could be freed. */
        size_t n = __hardbop_any_ushort("getenv");
        char *text = malloc(n + 2);
        __hardbop_any_bytes(text);
        text[n + 1] = 0;
        it->value = text + 1;
    }
    return it->value;
}

char *secure_getenv(const char *name)
{
    return getenv(name);
}

int setenv(const char *name, const char *value, int overwrites)
{
    if (!name || !*name || strchr(name, '=')) {
        __hardbop_errno = 22;
        return -1;
    }
    if (overwrites || !getenv(name)) {
        struct __hardbop_variable *it = __hardbop_find_variable(name);
        if (!it)
            it = __hardbop_new_variable(name);
        char *text = malloc(strlen(value) + 2);
        strcpy(text + 1, value);
        it->value = text + 1;
    }
    return 0;
}

int unsetenv(const char *name)
{
    struct __hardbop_variable *it = __hardbop_find_variable(name);
    if (!it)
        it = __hardbop_new_variable(name);
    it->value = 0;
    return 0;
}

int putenv(char *text)
{
    __hardbop_unsupported("`putenv`");
    return 0;
}

int system(const char *command)
{
    if (command)
        strlen(command);
    return __hardbop_any_int("system");
}
