/* scanf and its like: what a text or a stream holds, as the format says. */

struct __hardbop_scanner {
    const char *text;
    struct __hardbop_file *file;
    /* How many bytes were taken. */
    size_t count;
    /* Blanks were skipped, or a number was taken, without a look at each byte. */
    int is_vague;
};

int __hardbop_take(struct __hardbop_scanner *in)
{
    int c;
    if (in->file) {
        c = fgetc(in->file);
    } else {
        c = (unsigned char)in->text[in->count];
        if (c == 0)
            return -1;
    }
    if (c >= 0)
        in->count++;
    return c;
}

void __hardbop_give_back(struct __hardbop_scanner *in, int c)
{
    if (c < 0)
        return;
    in->count--;
    if (in->file)
        ungetc(c, in->file);
}

void __hardbop_skip_space(struct __hardbop_scanner *in)
{
    int c;
    if (in->file) {
        in->is_vague = 1;
        c = in->file->held;
        if (c == ' ' || c >= '\t' && c <= '\r')
            c = in->file->held = -1;
        if (c < 0)
            in->file->pending = 3;
        return;
    }
    do
        c = __hardbop_take(in);
    while (c == ' ' || c >= '\t' && c <= '\r');
    __hardbop_give_back(in, c);
}

/* Where a value goes, by the length its conversion names. */
void __hardbop_store_whole(void *to, int length, unsigned long long value)
{
    if (length == -2)
        *(unsigned char *)to = (unsigned char)value;
    else if (length == -1)
        *(unsigned short *)to = (unsigned short)value;
    else if (length == 0)
        *(unsigned *)to = (unsigned)value;
    else if (length == 1)
        *(unsigned long *)to = (unsigned long)value;
    else
        *(unsigned long long *)to = value;
}

/*
 * A whole number; 1 if there was one, 0 if something else stood there, -1 at the end. One beyond the limits
 * becomes the limit, as in strtol; the negative one is 0 for numbers without a sign.
 */
int __hardbop_scan_whole(struct __hardbop_scanner *in, int base, int width, unsigned long long limit,
                         unsigned long long negative_limit, unsigned long long *value)
{
    int is_large = 0;
    int is_negative = 0, n = 0, c = __hardbop_take(in);
    if (c < 0)
        return -1;
    *value = 0;
    if ((c == '-' || c == '+') && width > 1) {
        is_negative = c == '-';
        width--;
        c = __hardbop_take(in);
    }
    if ((base == 0 || base == 16) && c == '0' && width > 0) {
        n++;
        width--;
        c = __hardbop_take(in);
        if ((c == 'x' || c == 'X') && width > 0) {
            base = 16;
            width--;
            c = __hardbop_take(in);
        } else if (base == 0) {
            base = 8;
        }
    }
    if (base == 0)
        base = 10;
    for (; width > 0 && c >= 0; width--) {
        unsigned digit = __hardbop_digit((char)c);
        if (digit >= (unsigned)base)
            break;
        unsigned long long most = base == 10 ? limit / 10 : base == 16 ? limit / 16 : limit / 8;
        if (*value > most || *value * (unsigned)base > limit - digit)
            is_large = 1;
        *value = *value * (unsigned)base + digit;
        n++;
        c = __hardbop_take(in);
    }
    __hardbop_give_back(in, c);
    /* The smallest number is one further away from 0 than the largest. */
    if (is_negative && negative_limit && *value == negative_limit)
        is_large = 0;
    if (is_large)
        *value = is_negative && negative_limit ? negative_limit : limit;
    if (is_negative && (!is_large || negative_limit))
        *value = 0ULL - *value;
    return n > 0;
}

/*
 * Whether a number comes next in a stream, as -1, 0, 1; if something else does, it is the next byte. Signs do
 * not matter: those that no number follows are taken.
 */
int __hardbop_number_ahead(struct __hardbop_file *f, int is_real)
{
    __hardbop_assumed("reading ends at the end of a file, not by an error");
    int ahead = 0;
    if (!f->is_at_end && is_real)
        ahead = f->is_stdin ? __hardbop_stdin_ahead("double") : __hardbop_file_ahead("double");
    else if (!f->is_at_end)
        ahead = f->is_stdin ? __hardbop_stdin_ahead("long") : __hardbop_file_ahead("long");
    f->pending = 0;
    if (ahead == 0) {
        f->is_at_end = 1;
        return -1;
    }
    if (ahead == 1)
        return 1;
    int c = f->is_stdin ? __hardbop_stdin_solid() : __hardbop_file_solid();
    __hardbop_assume(c >= 0 && !(c >= '0' && c <= '9') && c != '-' && c != '+');
    __hardbop_assume(!(c == ' ' || c >= '\t' && c <= '\r'));
    if (is_real)
        __hardbop_assume(c != '.' && c != 'i' && c != 'I' && c != 'n' && c != 'N');
    f->held = c;
    return 0;
}

/* A whole number of a stream, as it is stored. */
unsigned long long __hardbop_next_whole(struct __hardbop_file *f, int length, int is_signed)
{
    f->pending = 1;
    if (length == -2 && is_signed)
        return (unsigned long long)(f->is_stdin ? __hardbop_stdin_number("char") : __hardbop_file_number("char"));
    if (length == -2)
        return f->is_stdin ? __hardbop_stdin_number("uchar") : __hardbop_file_number("uchar");
    if (length == -1 && is_signed)
        return (unsigned long long)(f->is_stdin ? __hardbop_stdin_number("short") : __hardbop_file_number("short"));
    if (length == -1)
        return f->is_stdin ? __hardbop_stdin_number("ushort") : __hardbop_file_number("ushort");
    if (length == 0 && is_signed)
        return (unsigned long long)(f->is_stdin ? __hardbop_stdin_number("int") : __hardbop_file_number("int"));
    if (length == 0)
        return f->is_stdin ? __hardbop_stdin_number("uint") : __hardbop_file_number("uint");
    if (length == 1 && is_signed)
        return (unsigned long long)(f->is_stdin ? __hardbop_stdin_number("long") : __hardbop_file_number("long"));
    if (length == 1)
        return f->is_stdin ? __hardbop_stdin_number("ulong") : __hardbop_file_number("ulong");
    if (is_signed)
        return (unsigned long long)(f->is_stdin ? __hardbop_stdin_number("longlong")
                                                : __hardbop_file_number("longlong"));
    return f->is_stdin ? __hardbop_stdin_number("ulonglong") : __hardbop_file_number("ulonglong");
}

/* Whether a conversion takes what stands in a stream as one number. */
int __hardbop_is_at_once(struct __hardbop_scanner *in, int width)
{
    return in->file && !width && in->file->held < 0;
}

/* A floating-point number of few digits; the same results. */
int __hardbop_scan_real(struct __hardbop_scanner *in, int width, double *value)
{
    char text[40];
    int n = 0, c = __hardbop_take(in);
    if (c < 0)
        return -1;
    while (c >= '0' && c <= '9' || c == '.' || n == 0 && (c == '-' || c == '+')
           || n > 0 && (c == 'e' || c == 'E')
           || n > 0 && (text[n - 1] == 'e' || text[n - 1] == 'E') && (c == '-' || c == '+')) {
        if (n == 39)
            __hardbop_unsupported("a long number in the input");
        text[n++] = (char)c;
        c = n < width ? __hardbop_take(in) : -1;
    }
    if (n == 0 && (c == 'i' || c == 'I' || c == 'n' || c == 'N'))
        __hardbop_unsupported("a number in words in the input");
    __hardbop_give_back(in, c);
    text[n] = 0;
    char *end;
    *value = strtod(text, &end);
    return end != text;
}

int __hardbop_scan(struct __hardbop_scanner *in, const char *f, __builtin_va_list arguments)
{
    int n_done = 0;
    for (; *f; f++) {
        if (*f == ' ' || *f >= '\t' && *f <= '\r') {
            __hardbop_skip_space(in);
            continue;
        }
        if (*f != '%') {
            int c = __hardbop_take(in);
            if (c != (unsigned char)*f) {
                __hardbop_give_back(in, c);
                return c < 0 && !n_done ? -1 : n_done;
            }
            continue;
        }
        f++;
        int is_dropped = *f == '*', width = 0, length = 0, is_new = 0;
        f += is_dropped;
        for (; *f >= '0' && *f <= '9'; f++)
            width = width * 10 + (*f - '0');
        if (*f == 'm') {
            is_new = 1;
            f++;
        }
        for (;; f++) {
            if (*f == 'h')
                length--;
            else if (*f == 'l')
                length++;
            else if (*f == 'j' || *f == 'q' || *f == 'L')
                length = 2;
            else if (*f == 'z' || *f == 't')
                length = 1;
            else
                break;
        }
        if (*f != 'c' && *f != '[' && *f != 'n')
            __hardbop_skip_space(in);
        int got = 1;
        switch (*f) {
        case 'd':
        case 'u':
        case 'i':
        case 'x':
        case 'X':
        case 'o': {
            unsigned long long value;
            int base = *f == 'i' ? 0 : *f == 'o' ? 8 : *f == 'x' || *f == 'X' ? 16 : 10;
            unsigned long long limit = length >= 2 ? ~0ULL : ~0UL, negative_limit = 0;
            if (*f == 'd' || *f == 'i') {
                limit >>= 1;
                negative_limit = limit + 1;
            }
            if (base == 10 && __hardbop_is_at_once(in, width)) {
                got = __hardbop_number_ahead(in->file, 0);
                if (got > 0)
                    value = __hardbop_next_whole(in->file, length, *f == 'd');
            } else {
                got = __hardbop_scan_whole(in, base, width ? width : 2147483647, limit, negative_limit, &value);
            }
            if (got > 0 && !is_dropped)
                __hardbop_store_whole(__builtin_va_arg(arguments, void *), length, value);
            break;
        }
        case 'e':
        case 'f':
        case 'g':
        case 'E':
        case 'G': {
            double value;
            if (__hardbop_is_at_once(in, width)) {
                struct __hardbop_file *file = in->file;
                got = __hardbop_number_ahead(file, 1);
                if (got > 0)
                    file->pending = 2;
                if (got > 0 && length == 0)
                    value = file->is_stdin ? __hardbop_stdin_number("float") : __hardbop_file_number("float");
                else if (got > 0)
                    value = file->is_stdin ? __hardbop_stdin_number("double") : __hardbop_file_number("double");
            } else {
                got = __hardbop_scan_real(in, width ? width : 2147483647, &value);
            }
            if (got > 0 && !is_dropped) {
                void *to = __builtin_va_arg(arguments, void *);
                if (length == 0)
                    *(float *)to = (float)value;
                else if (length == 1)
                    *(double *)to = value;
                else
                    *(long double *)to = value;
            }
            break;
        }
        case 'c': {
            if (is_new)
                __hardbop_unsupported("`%mc` of `scanf`");
            char *to = is_dropped ? 0 : __builtin_va_arg(arguments, char *);
            for (int i = 0; i < (width ? width : 1); i++) {
                int c = __hardbop_take(in);
                if (c < 0) {
                    got = -1;
                    break;
                }
                if (!is_dropped)
                    to[i] = (char)c;
            }
            break;
        }
        case 's':
        case '[': {
            int is_set = *f == '[', is_not = 0;
            const char *set = f + 1;
            if (is_set) {
                f++;
                if (*f == '^') {
                    is_not = 1;
                    f++;
                }
                set = f;
                do
                    f++;
                while (*f && *f != ']');
                __hardbop_check(*f == ']', "library", "a set in the format may not end");
            }
            char held[256], *to = 0, **made = 0;
            if (is_new)
                made = is_dropped ? 0 : __builtin_va_arg(arguments, char **);
            else if (!is_dropped)
                to = __builtin_va_arg(arguments, char *);
            if (made)
                to = held;
            size_t n = 0;
            int c = __hardbop_take(in);
            int is_end = c < 0;
            while (c >= 0) {
                int is_in = !(c == ' ' || c >= '\t' && c <= '\r');
                if (is_set)
                    is_in = __hardbop_in_set((char)c, set, f) != is_not;
                if (!is_in)
                    break;
                if (made && n == 255)
                    __hardbop_unsupported("a long text for `%ms`");
                if (!is_dropped)
                    to[n] = (char)c;
                n++;
                if (width && n == (size_t)width)
                    break;
                c = __hardbop_take(in);
            }
            if (!width || n < (size_t)width)
                __hardbop_give_back(in, c);
            if (!is_dropped && n)
                to[n] = 0;
            if (made && n) {
                *made = malloc(n + 1);
                if (!*made)
                    return n_done ? n_done : -1;
                memcpy(*made, held, n + 1);
            }
            got = n ? 1 : is_end ? -1 : 0;
            break;
        }
        case 'n':
            if (in->is_vague)
                __hardbop_unsupported("`%n` behind blanks or a number of a stream");
            if (!is_dropped)
                __hardbop_store_whole(__builtin_va_arg(arguments, void *), length, in->count);
            continue;
        case '%': {
            int c = __hardbop_take(in);
            if (c != '%') {
                __hardbop_give_back(in, c);
                return c < 0 && !n_done ? -1 : n_done;
            }
            continue;
        }
        default:
            __hardbop_unsupported("this conversion of `scanf`");
        }
        if (got <= 0)
            return got < 0 && !n_done ? -1 : n_done;
        n_done += !is_dropped;
    }
    return n_done;
}

/* Whether a character is in a set such as a-z_, up to its end. */
int __hardbop_in_set(char c, const char *set, const char *end)
{
    for (const char *at = set; at < end; at++) {
        if (at[0] == c)
            return 1;
        if (at + 2 < end && at[1] == '-') {
            if (at[0] <= c && c <= at[2])
                return 1;
            at += 2;
        }
    }
    return 0;
}

int vsscanf(const char *text, const char *format, __builtin_va_list arguments)
{
    struct __hardbop_scanner in = {text, 0, 0, 0};
    return __hardbop_scan(&in, format, arguments);
}

int vfscanf(struct __hardbop_file *f, const char *format, __builtin_va_list arguments)
{
    struct __hardbop_scanner in = {0, __hardbop_open_file(f), 0, 0};
    return __hardbop_scan(&in, format, arguments);
}

int vscanf(const char *format, __builtin_va_list arguments)
{
    return vfscanf(&__hardbop_stdin, format, arguments);
}

int sscanf(const char *text, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vsscanf(text, format, arguments);
}

int fscanf(struct __hardbop_file *f, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vfscanf(f, format, arguments);
}

int scanf(const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vfscanf(&__hardbop_stdin, format, arguments);
}
