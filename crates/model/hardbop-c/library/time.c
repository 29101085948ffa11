/* <time.h>: what the clock says is any time; dates have fields in their ranges. */

struct __hardbop_tm {
    int tm_sec, tm_min, tm_hour, tm_mday, tm_mon, tm_year, tm_wday, tm_yday, tm_isdst;
    long tm_gmtoff;
    const char *tm_zone;
};

long time(long *to)
{
    long now = __hardbop_any_long("time");
    if (now < 0)
        now = -1;
    if (to)
        *to = now;
    return now;
}

long clock(void)
{
    long ticks = __hardbop_any_long("clock");
    return ticks < 0 ? -1 : ticks;
}

double difftime(long end, long start)
{
    return (double)end - (double)start;
}

int __hardbop_field(int low, int high)
{
    int value = __hardbop_any_int("<time.h>");
    return value < low ? low : value > high ? high : value;
}

struct __hardbop_tm __hardbop_date;

/* The fields of some date; that they fit each other is not said. */
void __hardbop_fill_date(struct __hardbop_tm *date)
{
    date->tm_sec = __hardbop_field(0, 60);
    date->tm_min = __hardbop_field(0, 59);
    date->tm_hour = __hardbop_field(0, 23);
    date->tm_mday = __hardbop_field(1, 31);
    date->tm_mon = __hardbop_field(0, 11);
    date->tm_year = __hardbop_any_int("<time.h>");
    date->tm_wday = __hardbop_field(0, 6);
    date->tm_yday = __hardbop_field(0, 365);
    date->tm_isdst = __hardbop_field(-1, 1);
    date->tm_gmtoff = 0;
    date->tm_zone = "UTC";
}

struct __hardbop_tm *localtime_r(const long *when, struct __hardbop_tm *date)
{
    long at = *when;
    /* A year that does not fit: null. */
    if (__hardbop_any_bool("localtime")) {
        __hardbop_errno = 75;
        return 0;
    }
    __hardbop_fill_date(date);
    return date;
}

struct __hardbop_tm *localtime(const long *when)
{
    return localtime_r(when, &__hardbop_date);
}

struct __hardbop_tm *gmtime_r(const long *when, struct __hardbop_tm *date)
{
    return localtime_r(when, date);
}

struct __hardbop_tm *gmtime(const long *when)
{
    return localtime_r(when, &__hardbop_date);
}

long mktime(struct __hardbop_tm *date)
{
    int year = date->tm_year + date->tm_sec;
    long when = __hardbop_any_long("mktime");
    if (when != -1)
        __hardbop_fill_date(date);
    return when;
}

long timegm(struct __hardbop_tm *date)
{
    return mktime(date);
}

/* Some text that fits, or nothing. */
size_t strftime(char *text, size_t size, const char *format, const struct __hardbop_tm *date)
{
    strlen(format);
    int year = date->tm_year + date->tm_sec;
    size_t n = __hardbop_any_size_t("strftime");
    if (!size || n >= size)
        return 0;
    for (size_t i = 0; i < n; i++) {
        char c = __hardbop_any_char("strftime");
        text[i] = c ? c : '0';
    }
    text[n] = 0;
    return n;
}

char __hardbop_date_text[32];

char *asctime(const struct __hardbop_tm *date)
{
    int year = date->tm_year + date->tm_sec;
    char *text = __hardbop_date_text;
    for (int i = 0; i < 24; i++) {
        char c = __hardbop_any_char("asctime");
        text[i] = c ? c : '0';
    }
    text[24] = '\n';
    text[25] = 0;
    return text;
}

char *ctime(const long *when)
{
    struct __hardbop_tm *date = localtime(when);
    return date ? asctime(date) : 0;
}

char *asctime_r(const struct __hardbop_tm *date, char *to)
{
    return strcpy(to, asctime(date));
}

char *ctime_r(const long *when, char *to)
{
    struct __hardbop_tm date;
    return localtime_r(when, &date) ? asctime_r(&date, to) : 0;
}

void tzset(void)
{
}

struct __hardbop_timespec {
    long tv_sec, tv_nsec;
};

int nanosleep(const struct __hardbop_timespec *wanted, struct __hardbop_timespec *left)
{
    long seconds = wanted->tv_sec;
    if (!__hardbop_any_bool("nanosleep"))
        return 0;
    __hardbop_fails();
    if (left) {
        left->tv_sec = seconds > 0 ? seconds : 0;
        left->tv_nsec = __hardbop_field(0, 999999999);
    }
    return -1;
}

int clock_gettime(int clock, struct __hardbop_timespec *now)
{
    if (__hardbop_any_bool("clock_gettime")) {
        __hardbop_fails();
        return -1;
    }
    long seconds = __hardbop_any_long("clock_gettime");
    now->tv_sec = seconds < 0 ? 0 : seconds;
    now->tv_nsec = __hardbop_field(0, 999999999);
    return 0;
}

int gettimeofday(struct __hardbop_timespec *now, void *zone)
{
    if (now) {
        long seconds = __hardbop_any_long("gettimeofday");
        now->tv_sec = seconds < 0 ? 0 : seconds;
        now->tv_nsec = __hardbop_field(0, 999999);
    }
    return 0;
}

int timespec_get(struct __hardbop_timespec *now, int base)
{
    return base == 1 && clock_gettime(0, now) == 0 ? base : 0;
}
