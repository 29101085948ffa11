/*
 * <stdio.h>: streams. What is read is an input of the program, byte by byte; what is written goes nowhere,
 * except that the interpreter prints what goes to standard output. printf and its like with a format known
 * beforehand are checked by the front end (lower/output.rs); the others are in format.c, input in scan.c.
 */

struct __hardbop_file {
    /* Whether its bytes are those of standard input, and what is written to it is printed. */
    int is_stdin, is_stdout;
    /* Made by fopen, and not yet closed. */
    int is_made, is_closed;
    /* What feof and ferror say. */
    int is_at_end, is_in_error;
    /* A byte that was given back, or -1. */
    int held;
    /* What is known of the next byte: 1 it is no digit, for a number ended there, 2 the same of a number with a
       fraction, 3 blanks are skipped before it. */
    int pending;
    /* The streams that are open, so that none is lost. */
    struct __hardbop_file *before, *after;
};

struct __hardbop_file __hardbop_stdin = {.is_stdin = 1, .held = -1};

struct __hardbop_file __hardbop_stdout = {.is_stdout = 1, .held = -1};

struct __hardbop_file __hardbop_stderr = {.held = -1};

struct __hardbop_file *stdin = &__hardbop_stdin;

struct __hardbop_file *stdout = &__hardbop_stdout;

struct __hardbop_file *stderr = &__hardbop_stderr;

struct __hardbop_file *__hardbop_files;

/* Whether a stream that fopen did not make has ever been closed: as long as none was, nothing needs to be known of the
   bytes of any to see that it is open. */
int __hardbop_some_closed;

/* A stream that may be used; null, foreign and closed ones are found by the access. */
struct __hardbop_file *__hardbop_open_file(struct __hardbop_file *f)
{
    int is_closed = f->is_closed;
    __hardbop_check(!(__hardbop_some_closed && is_closed), "library", "the stream may be closed");
    return f;
}

/* ---- opening and closing ---- */

struct __hardbop_file *__hardbop_new_file(void)
{
    struct __hardbop_file *f = malloc(sizeof *f);
    if (!f)
        return 0;
    f->is_stdin = f->is_stdout = f->is_closed = f->is_at_end = f->is_in_error = 0;
    f->is_made = 1;
    f->held = -1;
    f->pending = 0;
    f->before = 0;
    f->after = __hardbop_files;
    if (__hardbop_files)
        __hardbop_files->before = f;
    __hardbop_files = f;
    return f;
}

struct __hardbop_file *fopen(const char *path, const char *mode)
{
    strlen(path);
    __hardbop_check(*mode == 'r' || *mode == 'w' || *mode == 'a', "library", "the mode may be none");
    if (__hardbop_any_bool("fopen")) {
        __hardbop_fails();
        return 0;
    }
    return __hardbop_new_file();
}

struct __hardbop_file *fopen64(const char *path, const char *mode)
{
    return fopen(path, mode);
}

struct __hardbop_file *fdopen(int fd, const char *mode)
{
    __hardbop_check(*mode == 'r' || *mode == 'w' || *mode == 'a', "library", "the mode may be none");
    if (__hardbop_any_bool("fdopen")) {
        __hardbop_fails();
        return 0;
    }
    struct __hardbop_file *f = __hardbop_new_file();
    if (f) {
        f->is_stdin = fd == 0;
        f->is_stdout = fd == 1;
    }
    return f;
}

struct __hardbop_file *popen(const char *command, const char *mode)
{
    strlen(command);
    return fopen("command", mode);
}

struct __hardbop_file *tmpfile(void)
{
    return fopen("temporary", "w");
}

int fclose(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    if (!f->is_made) {
        f->is_closed = __hardbop_some_closed = 1;
        return 0;
    }
    if (f->before)
        f->before->after = f->after;
    else
        __hardbop_files = f->after;
    if (f->after)
        f->after->before = f->before;
    free(f);
    return __hardbop_any_bool("fclose") ? -1 : 0;
}

int pclose(struct __hardbop_file *f)
{
    fclose(f);
    return __hardbop_any_int("pclose");
}

struct __hardbop_file *freopen(const char *path, const char *mode, struct __hardbop_file *f)
{
    if (path)
        strlen(path);
    __hardbop_check(*mode == 'r' || *mode == 'w' || *mode == 'a', "library", "the mode may be none");
    if (__hardbop_any_bool("freopen")) {
        fclose(f);
        __hardbop_fails();
        return 0;
    }
    f->is_stdin = f->is_stdout = f->is_at_end = f->is_in_error = 0;
    f->held = -1;
    f->pending = 0;
    return f;
}

/* ---- reading ---- */

/* Bytes come until the end; behind it there is nothing more, as in a file. */
int fgetc(struct __hardbop_file *f)
{
    __hardbop_assumed("reading ends at the end of a file, not by an error");
    __hardbop_open_file(f);
    int c = f->held;
    if (c >= 0) {
        f->held = -1;
        return (unsigned char)c;
    }
    if (f->is_at_end)
        return -1;
    int pending = f->pending;
    f->pending = 0;
    if (pending == 3) {
        c = f->is_stdin ? __hardbop_stdin_solid() : __hardbop_file_solid();
        __hardbop_assume(!(c == ' ' || c >= '\t' && c <= '\r'));
    } else {
        c = f->is_stdin ? __hardbop_stdin_byte() : __hardbop_file_byte();
        __hardbop_assume(!(pending && c >= '0' && c <= '9'));
        __hardbop_assume(!(pending == 2 && (c == 'e' || c == 'E' || c == '(')));
    }
    f->is_at_end = c < 0;
    return c;
}

int getc(struct __hardbop_file *f)
{
    return fgetc(f);
}

int getchar(void)
{
    return fgetc(&__hardbop_stdin);
}

int getw(struct __hardbop_file *f)
{
    int word = 0;
    for (int i = 0; i < 4; i++) {
        int c = fgetc(f);
        if (c < 0)
            return -1;
        ((unsigned char *)&word)[i] = (unsigned char)c;
    }
    return word;
}

int ungetc(int c, struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    if (c == -1)
        return -1;
    if (f->held >= 0)
        __hardbop_unsupported("giving back more than one byte");
    f->held = (unsigned char)c;
    f->is_at_end = 0;
    return (unsigned char)c;
}

char *fgets(char *s, int n, struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    if (n <= 0)
        return 0;
    int i = 0;
    while (i < n - 1) {
        int c = fgetc(f);
        if (c < 0) {
            if (i == 0)
                return 0;
            break;
        }
        s[i++] = (char)c;
        if (c == '\n')
            break;
    }
    s[i] = 0;
    return s;
}

char *gets(char *s)
{
    size_t i = 0;
    for (;;) {
        int c = fgetc(&__hardbop_stdin);
        if (c < 0 && i == 0)
            return 0;
        if (c < 0 || c == '\n')
            break;
        s[i++] = (char)c;
    }
    s[i] = 0;
    return s;
}

size_t fread(void *to, size_t size, size_t n, struct __hardbop_file *f)
{
    unsigned char *at = to;
    __hardbop_open_file(f);
    if (!size)
        return 0;
    for (size_t done = 0; done < n; done++) {
        for (size_t i = 0; i < size; i++) {
            int c = fgetc(f);
            if (c < 0)
                return done;
            *at++ = (unsigned char)c;
        }
    }
    return n;
}

long getdelim(char **line, size_t *size, int end, struct __hardbop_file *f)
{
    size_t n = 0;
    __hardbop_open_file(f);
    if (!*line || *size < 120) {
        char *more = realloc(*line, 120);
        if (!more)
            return -1;
        *line = more;
        *size = 120;
    }
    for (;;) {
        int c = fgetc(f);
        if (c < 0)
            break;
        if (n + 2 > *size) {
            char *more = realloc(*line, 2 * *size);
            if (!more)
                return -1;
            *line = more;
            *size *= 2;
        }
        (*line)[n++] = (char)c;
        if (c == end)
            break;
    }
    if (n == 0)
        return -1;
    (*line)[n] = 0;
    return (long)n;
}

long getline(char **line, size_t *size, struct __hardbop_file *f)
{
    return getdelim(line, size, '\n', f);
}

/* ---- writing ---- */

int fputc(int c, struct __hardbop_file *f)
{
    if (__hardbop_open_file(f)->is_stdout)
        putchar(c);
    return (unsigned char)c;
}

int putc(int c, struct __hardbop_file *f)
{
    return fputc(c, f);
}

int putw(int word, struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    return 0;
}

int fputs(const char *s, struct __hardbop_file *f)
{
    size_t n = strlen(s);
    if (__hardbop_open_file(f)->is_stdout)
        __hardbop_print(s, n);
    return 1;
}

size_t fwrite(const void *from, size_t size, size_t n, struct __hardbop_file *f)
{
    size_t all = size * n;
    __hardbop_open_file(f);
    if (!all)
        return 0;
    __hardbop_readable(from, all);
    if (f->is_stdout)
        __hardbop_print(from, all);
    return n;
}

int fflush(struct __hardbop_file *f)
{
    if (f)
        __hardbop_open_file(f);
    return 0;
}

void perror(const char *s)
{
    if (s)
        strlen(s);
}

/* What printf and its like ask of a %s, and of a stream; the answer is whether it is standard output. */

void __hardbop_text(const char *text)
{
    while (*text)
        text++;
}

void __hardbop_wide_text(const int *text)
{
    wcslen(text);
}

void __hardbop_text_up_to(const char *text, int n)
{
    for (; n != 0 && *text; n--)
        text++;
}

int __hardbop_is_stdout(struct __hardbop_file *stream)
{
    return __hardbop_open_file(stream)->is_stdout;
}

/* ---- where one is ---- */

int fgetpos(struct __hardbop_file *f, void *to)
{
    __hardbop_open_file(f);
    if (__hardbop_any_bool("fgetpos")) {
        __hardbop_fails();
        return -1;
    }
    memset(to, 0, 16);
    return 0;
}

int fsetpos(struct __hardbop_file *f, const void *from)
{
    __hardbop_readable(from, 16);
    return fseek(f, 0, 0);
}

int fseek(struct __hardbop_file *f, long offset, int from)
{
    __hardbop_open_file(f);
    __hardbop_check(from >= 0 && from <= 2, "library", "the place to count from may be none");
    if (__hardbop_any_bool("fseek")) {
        __hardbop_fails();
        return -1;
    }
    f->is_at_end = 0;
    f->held = -1;
    f->pending = 0;
    return 0;
}

int fseeko(struct __hardbop_file *f, long offset, int from)
{
    return fseek(f, offset, from);
}

long ftell(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    long at = __hardbop_any_long("ftell");
    if (at < 0) {
        __hardbop_fails();
        return -1;
    }
    return at;
}

long ftello(struct __hardbop_file *f)
{
    return ftell(f);
}

void rewind(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    f->is_at_end = f->is_in_error = 0;
    f->held = -1;
    f->pending = 0;
}

int feof(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    /* scanf has looked at the byte behind what it took. */
    if (f->pending && f->held < 0)
        f->held = fgetc(f);
    return f->is_at_end && f->held < 0;
}

int ferror(struct __hardbop_file *f)
{
    return __hardbop_open_file(f)->is_in_error;
}

void clearerr(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    f->is_at_end = f->is_in_error = 0;
}

int fileno(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
    if (f->is_stdin)
        return 0;
    if (f->is_stdout)
        return 1;
    return f->is_made ? 3 + (__hardbop_any_uchar("fileno") & 127) : 2;
}

int setvbuf(struct __hardbop_file *f, char *buffer, int mode, size_t size)
{
    __hardbop_open_file(f);
    return 0;
}

void setbuf(struct __hardbop_file *f, char *buffer)
{
    __hardbop_open_file(f);
}

void setlinebuf(struct __hardbop_file *f)
{
    __hardbop_open_file(f);
}

/* ---- files by name ---- */

int __hardbop_done(int is_failed)
{
    if (is_failed)
        __hardbop_fails();
    return is_failed ? -1 : 0;
}

int remove(const char *path)
{
    strlen(path);
    return __hardbop_done(__hardbop_any_bool("remove"));
}

int rename(const char *from, const char *to)
{
    strlen(from);
    strlen(to);
    return __hardbop_done(__hardbop_any_bool("rename"));
}

int __hardbop_address_of_printf(const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vprintf(format, arguments);
}

int __hardbop_address_of_fprintf(struct __hardbop_file *f, const char *format, ...)
{
    __builtin_va_list arguments;
    __builtin_va_start(arguments, format);
    return vfprintf(f, format, arguments);
}

int __hardbop_address_of_puts(const char *s)
{
    return puts(s);
}

int __hardbop_address_of_putchar(int c)
{
    return putchar(c);
}
