/*
 * What printf and its like write, where it is kept: in a buffer, or where the format is known only when the
 * program runs.
 */

struct __hardbop_sink {
    char *text;
    /* How many bytes there are, and how many were asked for. */
    size_t size, count;
    int is_stdout;
};

void __hardbop_put(struct __hardbop_sink *out, char c)
{
    if (out->count + 1 < out->size)
        out->text[out->count] = c;
    if (out->is_stdout)
        putchar((unsigned char)c);
    out->count++;
}

void __hardbop_put_often(struct __hardbop_sink *out, char c, int n)
{
    for (; n > 0; n--)
        __hardbop_put(out, c);
}

/* The digits of a number, the first one first; without a division, which costs the solver much. */
int __hardbop_decimal(unsigned long long value, char *digits)
{
    int n = 0;
    unsigned long long power = 1000000000000000000ULL;
    if (value <= 0xffffffffULL)
        power = 1000000000ULL;
    if (value >= 10000000000000000000ULL) {
        digits[n++] = '1';
        value -= 10000000000000000000ULL;
    }
    for (; power > 0; power = power == 1 ? 0 : power / 10) {
        int digit = 0;
        if (value >= 8 * power)
            digit += 8, value -= 8 * power;
        if (value >= 4 * power)
            digit += 4, value -= 4 * power;
        if (value >= 2 * power)
            digit += 2, value -= 2 * power;
        if (value >= power)
            digit += 1, value -= power;
        if (digit || n || power == 1)
            digits[n++] = (char)('0' + digit);
    }
    return n;
}

/* The same for the bases 8 and 16: so many bits a digit. */
int __hardbop_binary(unsigned long long value, int bits, char ten, char *digits)
{
    int n = 0;
    for (int shift = bits == 4 ? 60 : 63; shift >= 0; shift -= bits) {
        int digit = (int)(value >> shift) & (1 << bits) - 1;
        if (digit || n || shift == 0)
            digits[n++] = (char)(digit < 10 ? '0' + digit : ten + digit - 10);
    }
    return n;
}

struct __hardbop_spec {
    int is_left, is_zero, has_plus, has_space, is_alternate;
    int width, precision;
    /* -2 for hh to 2 for ll; 3 for L. */
    int length;
};

/* Padding, then what stands before the digits, then zeros and the digits. */
void __hardbop_put_number(struct __hardbop_sink *out, struct __hardbop_spec *spec, const char *before,
                          const char *digits, int n)
{
    int n_before = (int)strlen(before), zeros = spec->precision > n ? spec->precision - n : 0;
    int pad = spec->width - n_before - zeros - n;
    if (spec->is_zero && !spec->is_left && spec->precision < 0 && pad > 0) {
        zeros = pad;
        pad = 0;
    }
    if (!spec->is_left)
        __hardbop_put_often(out, ' ', pad);
    while (*before)
        __hardbop_put(out, *before++);
    __hardbop_put_often(out, '0', zeros);
    for (int i = 0; i < n; i++)
        __hardbop_put(out, digits[i]);
    if (spec->is_left)
        __hardbop_put_often(out, ' ', pad);
}

void __hardbop_put_signed(struct __hardbop_sink *out, struct __hardbop_spec *spec, long long value)
{
    char digits[24];
    unsigned long long magnitude =
        value < 0 ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    int n = magnitude == 0 && spec->precision == 0 ? 0 : __hardbop_decimal(magnitude, digits);
    const char *sign = value < 0 ? "-" : spec->has_plus ? "+" : spec->has_space ? " " : "";
    __hardbop_put_number(out, spec, sign, digits, n);
}

void __hardbop_put_unsigned(struct __hardbop_sink *out, struct __hardbop_spec *spec, char conversion,
                            unsigned long long value)
{
    char digits[24];
    const char *before = "";
    int n;
    if (value == 0 && spec->precision == 0)
        n = 0;
    else if (conversion == 'u')
        n = __hardbop_decimal(value, digits);
    else if (conversion == 'o')
        n = __hardbop_binary(value, 3, 'a', digits);
    else
        n = __hardbop_binary(value, 4, conversion == 'X' ? 'A' : 'a', digits);
    if (spec->is_alternate && conversion == 'o' && spec->precision <= n && (value || n == 0))
        spec->precision = n + 1;
    if (spec->is_alternate && value && conversion == 'x')
        before = "0x";
    if (spec->is_alternate && value && conversion == 'X')
        before = "0X";
    __hardbop_put_number(out, spec, before, digits, n);
}

void __hardbop_put_text(struct __hardbop_sink *out, struct __hardbop_spec *spec, const char *s)
{
    int n = 0;
    while ((spec->precision < 0 || n < spec->precision) && s[n])
        n++;
    if (!spec->is_left)
        __hardbop_put_often(out, ' ', spec->width - n);
    /* Neither what is written now nor what was written before may be what is read. */
    if (n && out->count < out->size) {
        __hardbop_apart(out->text + out->count, s, (size_t)n);
        __hardbop_apart(out->text, s, out->count < (size_t)n ? out->count : (size_t)n);
    }
    for (int i = 0; i < n; i++)
        __hardbop_put(out, s[i]);
    if (spec->is_left)
        __hardbop_put_often(out, ' ', spec->width - n);
}

/* The same of a wide text: in the locale "C" each character is one byte, if it is one at all. */
void __hardbop_put_wide(struct __hardbop_sink *out, struct __hardbop_spec *spec, const int *s)
{
    int n = 0;
    while ((spec->precision < 0 || n < spec->precision) && s[n]) {
        if (s[n] < 0 || s[n] > 127)
            __hardbop_unsupported("a wide character beyond ASCII in a format");
        n++;
    }
    if (!spec->is_left)
        __hardbop_put_often(out, ' ', spec->width - n);
    for (int i = 0; i < n; i++)
        __hardbop_put(out, (char)s[i]);
    if (spec->is_left)
        __hardbop_put_often(out, ' ', spec->width - n);
}

void __hardbop_put_pointer(struct __hardbop_sink *out, struct __hardbop_spec *spec, const void *p)
{
    char digits[24];
    spec->precision = -1;
    if (p)
        __hardbop_put_number(out, spec, "0x", digits, __hardbop_binary((unsigned long)p, 4, 'a', digits));
    else
        __hardbop_put_text(out, spec, "(nil)");
}

/* Tells where to write: how many bytes were written so far. */
void __hardbop_put_count(int length, void *to, size_t count)
{
    if (length == -2)
        *(signed char *)to = (signed char)count;
    else if (length == -1)
        *(short *)to = (short)count;
    else if (length == 0)
        *(int *)to = (int)count;
    else if (length == 1)
        *(long *)to = (long)count;
    else
        *(long long *)to = (long long)count;
}

int __hardbop_format(struct __hardbop_sink *out, const char *f, __builtin_va_list arguments)
{
    for (; *f; f++) {
        if (*f != '%') {
            __hardbop_put(out, *f);
            continue;
        }
        struct __hardbop_spec spec = {0, 0, 0, 0, 0, 0, -1, 0};
        for (f++;; f++) {
            if (*f == '-')
                spec.is_left = 1;
            else if (*f == '0')
                spec.is_zero = 1;
            else if (*f == '+')
                spec.has_plus = 1;
            else if (*f == ' ')
                spec.has_space = 1;
            else if (*f == '#')
                spec.is_alternate = 1;
            else if (*f != '\'')
                break;
        }
        if (*f == '*') {
            f++;
            spec.width = __builtin_va_arg(arguments, int);
            if (spec.width < 0) {
                spec.is_left = 1;
                spec.width = -spec.width;
            }
        }
        for (; *f >= '0' && *f <= '9'; f++)
            spec.width = spec.width * 10 + (*f - '0');
        if (*f == '.') {
            f++;
            spec.precision = 0;
            if (*f == '*') {
                f++;
                spec.precision = __builtin_va_arg(arguments, int);
            }
            for (; *f >= '0' && *f <= '9'; f++)
                spec.precision = spec.precision * 10 + (*f - '0');
        }
        for (;; f++) {
            if (*f == 'h')
                spec.length--;
            else if (*f == 'l')
                spec.length++;
            else if (*f == 'j' || *f == 'q')
                spec.length = 2;
            else if (*f == 'z' || *f == 't')
                spec.length = 1;
            else if (*f == 'L')
                spec.length = 3;
            else
                break;
        }
        switch (*f) {
        case 'd':
        case 'i': {
            long long value;
            if (spec.length >= 2)
                value = __builtin_va_arg(arguments, long long);
            else if (spec.length == 1)
                value = __builtin_va_arg(arguments, long);
            else
                value = __builtin_va_arg(arguments, int);
            if (spec.length == -1)
                value = (short)value;
            if (spec.length == -2)
                value = (signed char)value;
            __hardbop_put_signed(out, &spec, value);
            break;
        }
        case 'u':
        case 'o':
        case 'x':
        case 'X': {
            unsigned long long value;
            if (spec.length >= 2)
                value = __builtin_va_arg(arguments, unsigned long long);
            else if (spec.length == 1)
                value = __builtin_va_arg(arguments, unsigned long);
            else
                value = __builtin_va_arg(arguments, unsigned);
            if (spec.length == -1)
                value = (unsigned short)value;
            if (spec.length == -2)
                value = (unsigned char)value;
            __hardbop_put_unsigned(out, &spec, *f, value);
            break;
        }
        case 'c': {
            int wide = __builtin_va_arg(arguments, int);
            if (spec.length && (wide < 0 || wide > 127))
                __hardbop_unsupported("a wide character beyond ASCII in a format");
            char c = (char)wide;
            if (!spec.is_left)
                __hardbop_put_often(out, ' ', spec.width - 1);
            __hardbop_put(out, c);
            if (spec.is_left)
                __hardbop_put_often(out, ' ', spec.width - 1);
            break;
        }
        case 's':
            if (spec.length)
                __hardbop_put_wide(out, &spec, __builtin_va_arg(arguments, const int *));
            else
                __hardbop_put_text(out, &spec, __builtin_va_arg(arguments, const char *));
            break;
        case 'p':
            __hardbop_put_pointer(out, &spec, __builtin_va_arg(arguments, const void *));
            break;
        case 'n':
            __hardbop_put_count(spec.length, __builtin_va_arg(arguments, void *), out->count);
            break;
        case '%':
            __hardbop_put(out, '%');
            break;
        case 'f':
        case 'F':
            if (spec.length > 1)
                __hardbop_unsupported("the text of a long double");
            __hardbop_put_fixed(out, &spec, __builtin_va_arg(arguments, double));
            break;
        case 'e':
        case 'E':
        case 'g':
        case 'G':
        case 'a':
        case 'A':
            __hardbop_unsupported("the text of a floating-point number in this form");
            break;
        case '$':
            __hardbop_unsupported("an argument of a format by its position");
        case 'm':
        case 'C':
        case 'S':
        case 'b':
        case 'B':
        case 'I':
            __hardbop_unsupported("this conversion of `printf`");
        default:
            __hardbop_check(0, "library", "the format may have no meaning");
            return -1;
        }
    }
    return (int)out->count;
}

/*
 * %f, exactly: the whole part, then the fraction as 128 bits behind the point, one digit after the other.
 * Numbers from 2^63 on are not modelled.
 */
void __hardbop_put_fixed(struct __hardbop_sink *out, struct __hardbop_spec *spec, double value)
{
    char digits[64];
    int precision = spec->precision < 0 ? 6 : spec->precision;
    const char *sign = signbit(value) ? "-" : spec->has_plus ? "+" : spec->has_space ? " " : "";
    double magnitude = fabs(value);
    spec->precision = -1;
    if (!isfinite(value)) {
        spec->is_zero = 0;
        __hardbop_put_number(out, spec, sign, value != value ? "nan" : "inf", 3);
        return;
    }
    if (magnitude >= 9223372036854775808.0 || precision > 30)
        __hardbop_unsupported("the text of a large floating-point number");
    unsigned long long whole = (unsigned long long)magnitude;
    double rest = magnitude - (double)whole;
    unsigned __int128 fraction = 0;
    int is_more = 0;
    if (rest > 0) {
        /* 53 bits of it, moved to where they belong: 120 bits stand behind the point. */
        int exponent = __hardbop_exponent(rest);
        unsigned long long bits = (unsigned long long)scalbn(rest, 52 - exponent);
        int shift = 120 - 52 + exponent;
        if (shift >= 0)
            fraction = (unsigned __int128)bits << shift;
        else
            is_more = 1;
    }
    char behind[32];
    for (int i = 0; i < precision; i++) {
        fraction *= 10;
        behind[i] = (char)('0' + (int)(fraction >> 120));
        fraction &= ((unsigned __int128)1 << 120) - 1;
    }
    /* Half way goes to the even digit. */
    unsigned __int128 half = (unsigned __int128)1 << 119;
    int last = precision ? behind[precision - 1] - '0' : (int)(whole & 1);
    if (fraction > half || fraction == half && (is_more || (last & 1))) {
        int i = precision - 1;
        while (i >= 0 && behind[i] == '9')
            behind[i--] = '0';
        if (i >= 0)
            behind[i]++;
        else
            whole++;
    }
    int n = __hardbop_decimal(whole, digits);
    if (precision || spec->is_alternate)
        digits[n++] = '.';
    for (int i = 0; i < precision; i++)
        digits[n++] = behind[i];
    __hardbop_put_number(out, spec, sign, digits, n);
}

int vsnprintf(char *text, size_t size, const char *format, __builtin_va_list arguments)
{
    struct __hardbop_sink out = {text, size, 0, 0};
    int n = __hardbop_format(&out, format, arguments);
    if (size)
        text[out.count < size ? out.count : size - 1] = 0;
    return n;
}

int vsprintf(char *text, const char *format, __builtin_va_list arguments)
{
    struct __hardbop_sink out = {text, ~0UL, 0, 0};
    int n = __hardbop_format(&out, format, arguments);
    text[out.count] = 0;
    return n;
}

int snprintf(char *text, size_t size, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vsnprintf(text, size, format, arguments);
}

int sprintf(char *text, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vsprintf(text, format, arguments);
}

int vasprintf(char **text, const char *format, __builtin_va_list arguments)
{
    __builtin_va_list again;
    __builtin_va_copy(again, arguments);
    struct __hardbop_sink none = {0, 0, 0, 0};
    int n = __hardbop_format(&none, format, again);
    *text = malloc((size_t)n + 1);
    return *text ? vsprintf(*text, format, arguments) : -1;
}

int asprintf(char **text, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vasprintf(text, format, arguments);
}

int vfprintf(struct __hardbop_file *f, const char *format, __builtin_va_list arguments)
{
    struct __hardbop_sink out = {0, 0, 0, __hardbop_open_file(f)->is_stdout};
    return __hardbop_format(&out, format, arguments);
}

int vprintf(const char *format, __builtin_va_list arguments)
{
    return vfprintf(&__hardbop_stdout, format, arguments);
}

int vdprintf(int fd, const char *format, __builtin_va_list arguments)
{
    struct __hardbop_sink out = {0, 0, 0, 0};
    return __hardbop_format(&out, format, arguments);
}

int dprintf(int fd, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vdprintf(fd, format, arguments);
}
