/* What a program for 32 bits needs where there is no library for them: a start, output, exit, and
   the division of 64-bit numbers that the compiler asks for. */
typedef unsigned long long u64;

int main(void);

static long system_call(long number, long a, const void *b, long c)
{
    long result;
    __asm__ volatile("int $0x80" : "=a"(result) : "a"(number), "b"(a), "c"(b), "d"(c) : "memory");
    return result;
}

static char buffer[4096];
static unsigned used;

static void flush(void)
{
    system_call(4, 1, buffer, used);
    used = 0;
}

static void put(char c)
{
    if (used == sizeof buffer)
        flush();
    buffer[used++] = c;
}

static u64 divide(u64 a, u64 b, u64 *rest)
{
    u64 quotient = 0, left = 0;
    for (int bit = 63; bit >= 0; bit--) {
        int carry = left >> 63;
        left = left << 1 | (a >> bit & 1);
        if (carry || left >= b) {
            left -= b;
            quotient |= 1ull << bit;
        }
    }
    *rest = left;
    return quotient;
}

u64 __udivdi3(u64 a, u64 b) { u64 rest; return divide(a, b, &rest); }
u64 __umoddi3(u64 a, u64 b) { u64 rest; divide(a, b, &rest); return rest; }

static u64 magnitude(long long a) { return a < 0 ? -(u64)a : (u64)a; }

long long __divdi3(long long a, long long b)
{
    u64 rest, quotient = divide(magnitude(a), magnitude(b), &rest);
    return (a < 0) != (b < 0) ? -quotient : quotient;
}

long long __moddi3(long long a, long long b)
{
    u64 rest;
    divide(magnitude(a), magnitude(b), &rest);
    return a < 0 ? -rest : rest;
}

void *memcpy(void *to, const void *from, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        ((volatile char *)to)[i] = ((const char *)from)[i];
    return to;
}

void *memset(void *to, int c, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        ((volatile char *)to)[i] = c;
    return to;
}

static void number(u64 value, unsigned base)
{
    char digits[24];
    int n = 0;
    do {
        u64 rest;
        value = divide(value, base, &rest);
        digits[n++] = "0123456789abcdef"[rest];
    } while (value);
    while (n)
        put(digits[--n]);
}

/* %d %u %x with l and ll, %c, %s, %%. */
int printf(const char *format, ...)
{
    __builtin_va_list list;
    __builtin_va_start(list, format);
    for (; *format; format++) {
        if (*format != '%') {
            put(*format);
            continue;
        }
        int longs = 0;
        while (*++format == 'l')
            longs++;
        if (*format == 'd') {
            long long value = longs > 1 ? __builtin_va_arg(list, long long) : __builtin_va_arg(list, int);
            if (value < 0)
                put('-');
            number(magnitude(value), 10);
        } else if (*format == 'u' || *format == 'x') {
            u64 value = longs > 1 ? __builtin_va_arg(list, u64) : __builtin_va_arg(list, unsigned);
            number(value, *format == 'u' ? 10 : 16);
        } else if (*format == 'c') {
            put(__builtin_va_arg(list, int));
        } else if (*format == 's') {
            for (const char *s = __builtin_va_arg(list, const char *); *s; s++)
                put(*s);
        } else {
            put(*format);
        }
    }
    __builtin_va_end(list);
    return 0;
}

/* Arguments lie on the stack where a call expects them 16 bytes aligned. */
__attribute__((force_align_arg_pointer)) void _start(void)
{
    int code = main();
    flush();
    system_call(1, code, 0, 0);
    __builtin_unreachable();
}
