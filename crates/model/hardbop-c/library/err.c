/* <err.h>: messages on standard error, and the end of the program. */

void errx(int status, const char *format, ...)
{
    if (format)
        strlen(format);
    exit(status);
}

void err(int status, const char *format, ...)
{
    if (format)
        strlen(format);
    exit(status);
}

void verrx(int status, const char *format, __builtin_va_list arguments)
{
    if (format)
        strlen(format);
    exit(status);
}

void verr(int status, const char *format, __builtin_va_list arguments)
{
    if (format)
        strlen(format);
    exit(status);
}

void warnx(const char *format, ...)
{
    if (format)
        strlen(format);
}

void warn(const char *format, ...)
{
    if (format)
        strlen(format);
}

void error(int status, int number, const char *format, ...)
{
    strlen(format);
    if (status)
        exit(status);
}
