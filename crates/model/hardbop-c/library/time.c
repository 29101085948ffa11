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

/* ---- Greenwich: the calendar alone ---- */

/* Days from 1970-01-01 to the first of March of a year; years begin in March, so that the leap day is the last. */
long long __hardbop_days_to_march(long long year)
{
    long long before = year - 1;
    long long fourths = before >= 0 ? before / 4 : -((3 - before) / 4);
    long long centuries = before >= 0 ? before / 100 : -((99 - before) / 100);
    long long eras = before >= 0 ? before / 400 : -((399 - before) / 400);
    /* The leap day of the year itself comes before its March. */
    int is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    return before * 365 + fourths - centuries + eras + 59 + is_leap - 719162;
}

/* Days from the first of March to the first of the n-th month after it. */
int __hardbop_days_of_months(int n)
{
    return (153 * n + 2) / 5;
}

struct __hardbop_tm *gmtime_r(const long *when, struct __hardbop_tm *date)
{
    long long at = *when;
    if (at > 67768036191676799LL || at < -67768040609740800LL) {
        __hardbop_errno = 75;
        return 0;
    }
    long long days = at / 86400;
    int second = (int)(at % 86400);
    if (second < 0) {
        second += 86400;
        days--;
    }
    /* By the mean length of a year, one too many or too few at most. */
    long long scaled = (days - 59) * 400;
    long long year = 1970 + scaled / 146097 - (scaled % 146097 < 0);
    if (__hardbop_days_to_march(year + 1) <= days)
        year++;
    else if (__hardbop_days_to_march(year) > days)
        year--;
    int day = (int)(days - __hardbop_days_to_march(year));
    int month = (5 * day + 2) / 153;
    long long calendar = month >= 10 ? year + 1 : year;
    int is_leap = calendar % 4 == 0 && (calendar % 100 != 0 || calendar % 400 == 0);
    date->tm_sec = second % 60;
    date->tm_min = second / 60 % 60;
    date->tm_hour = second / 3600;
    date->tm_mday = day - __hardbop_days_of_months(month) + 1;
    date->tm_mon = month >= 10 ? month - 10 : month + 2;
    date->tm_year = (int)(calendar - 1900);
    int weekday = (int)((days + 4) % 7);
    date->tm_wday = weekday < 0 ? weekday + 7 : weekday;
    date->tm_yday = month >= 10 ? day - 306 : day + 59 + is_leap;
    date->tm_isdst = 0;
    date->tm_gmtoff = 0;
    date->tm_zone = "GMT";
    return date;
}

struct __hardbop_tm *gmtime(const long *when)
{
    return gmtime_r(when, &__hardbop_date);
}

/* Fields may lie outside of their ranges; they are brought back into them. */
long timegm(struct __hardbop_tm *date)
{
    long long month = date->tm_mon, year = (long long)date->tm_year + 1900;
    year += month >= 0 ? month / 12 : -((11 - month) / 12);
    month = month >= 0 ? month % 12 : 11 - (-1 - month) % 12;
    long long march = month >= 2 ? year : year - 1;
    int n = (int)(month >= 2 ? month - 2 : month + 10);
    long long days = __hardbop_days_to_march(march) + __hardbop_days_of_months(n) + date->tm_mday - 1LL;
    long long at = days * 86400 + date->tm_hour * 3600LL + date->tm_min * 60LL + date->tm_sec;
    long when = (long)at;
    if (when != at) {
        __hardbop_errno = 75;
        return -1;
    }
    gmtime_r(&when, date);
    return when;
}

long mktime(struct __hardbop_tm *date)
{
    int year = date->tm_year + date->tm_sec;
    long when = __hardbop_any_long("mktime");
    if (when != -1)
        __hardbop_fill_date(date);
    return when;
}

/* ---- dates as text ---- */

const char __hardbop_days[] = "Sunday\0   Monday\0   Tuesday\0  Wednesday\0Thursday\0 Friday\0   Saturday";
const char __hardbop_months[] = "January\0  February\0 March\0    April\0    May\0      June\0     July\0     "
                                "August\0   September\0October\0  November\0 December";

/* A text that grows up to a size; what is behind it is counted and not written. */
struct __hardbop_date_text {
    char *text;
    size_t size, count;
};

void __hardbop_date_put(struct __hardbop_date_text *to, char c)
{
    if (to->count < to->size)
        to->text[to->count] = c;
    to->count++;
}

void __hardbop_date_word(struct __hardbop_date_text *to, const char *word, int most)
{
    for (int i = 0; i < most && word[i]; i++)
        __hardbop_date_put(to, word[i]);
}

/* At least so many digits; what is missing is filled up. */
void __hardbop_date_number(struct __hardbop_date_text *to, long long value, int width, char fill)
{
    char digits[24];
    int n = 0, is_negative = value < 0;
    unsigned long long rest = is_negative ? 0ULL - (unsigned long long)value : (unsigned long long)value;
    do {
        digits[n++] = (char)('0' + rest % 10);
        rest /= 10;
    } while (rest);
    if (is_negative)
        __hardbop_date_put(to, '-');
    for (int i = n + is_negative; i < width; i++)
        __hardbop_date_put(to, fill);
    while (n)
        __hardbop_date_put(to, digits[--n]);
}

/* Whether a conversion is followed: the fields it shows are in their ranges, and it asks for no zone and no week. */
int __hardbop_date_part(struct __hardbop_date_text *to, char what, const struct __hardbop_tm *date)
{
    int hour = date->tm_hour % 12;
    switch (what) {
    case 'Y':
        __hardbop_date_number(to, date->tm_year + 1900LL, 0, '0');
        return 1;
    case 'y':
        __hardbop_date_number(to, date->tm_year % 100, 2, '0');
        return date->tm_year >= -1900;
    case 'C':
        __hardbop_date_number(to, (date->tm_year + 1900LL) / 100, 2, '0');
        return date->tm_year >= -1900;
    case 'm':
        __hardbop_date_number(to, date->tm_mon + 1LL, 2, '0');
        return date->tm_mon >= 0;
    case 'd':
    case 'e':
        __hardbop_date_number(to, date->tm_mday, 2, what == 'd' ? '0' : ' ');
        return date->tm_mday >= 0;
    case 'H':
        __hardbop_date_number(to, date->tm_hour, 2, '0');
        return date->tm_hour >= 0;
    case 'I':
        __hardbop_date_number(to, hour ? hour : 12, 2, '0');
        return date->tm_hour >= 0;
    case 'M':
        __hardbop_date_number(to, date->tm_min, 2, '0');
        return date->tm_min >= 0;
    case 'S':
        __hardbop_date_number(to, date->tm_sec, 2, '0');
        return date->tm_sec >= 0;
    case 'j':
        __hardbop_date_number(to, date->tm_yday + 1LL, 3, '0');
        return date->tm_yday >= 0;
    case 'w':
        __hardbop_date_number(to, date->tm_wday, 0, '0');
        return 1;
    case 'u':
        __hardbop_date_number(to, date->tm_wday ? date->tm_wday : 7, 0, '0');
        return date->tm_wday >= 0 && date->tm_wday < 7;
    case 'p':
        __hardbop_date_word(to, date->tm_hour > 11 ? "PM" : "AM", 2);
        return 1;
    case 'a':
    case 'A':
        if (date->tm_wday < 0 || date->tm_wday > 6)
            return 0;
        __hardbop_date_word(to, __hardbop_days + 10 * date->tm_wday, what == 'a' ? 3 : 9);
        return 1;
    case 'b':
    case 'B':
    case 'h':
        if (date->tm_mon < 0 || date->tm_mon > 11)
            return 0;
        __hardbop_date_word(to, __hardbop_months + 10 * date->tm_mon, what == 'B' ? 9 : 3);
        return 1;
    case 'n':
    case 't':
    case '%':
        __hardbop_date_put(to, what == 'n' ? '\n' : what == 't' ? '\t' : '%');
        return 1;
    default:
        return 0;
    }
}

/* A conversion that stands for others. */
const char *__hardbop_date_parts(char what)
{
    switch (what) {
    case 'F':
        return "Y-m-d";
    case 'T':
        return "H:M:S";
    case 'R':
        return "H:M";
    case 'D':
        return "m/d/y";
    default:
        return 0;
    }
}

/* Exact, or where a zone or a week is asked for some text that fits, or nothing. */
size_t strftime(char *text, size_t size, const char *format, const struct __hardbop_tm *date)
{
    struct __hardbop_date_text to = {text, size, 0};
    int is_known = 1;
    for (const char *at = format; *at; at++) {
        if (*at != '%') {
            __hardbop_date_put(&to, *at);
            continue;
        }
        if (!*++at) {
            is_known = 0;
            break;
        }
        const char *parts = __hardbop_date_parts(*at);
        if (!parts)
            is_known = __hardbop_date_part(&to, *at, date) && is_known;
        for (; parts && *parts; parts++) {
            if (*parts >= 'A')
                is_known = __hardbop_date_part(&to, *parts, date) && is_known;
            else
                __hardbop_date_put(&to, *parts);
        }
    }
    if (is_known) {
        __hardbop_date_put(&to, 0);
        return to.count <= size ? to.count - 1 : 0;
    }
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

char __hardbop_asctime_text[32];

char *asctime(const struct __hardbop_tm *date)
{
    char *text = __hardbop_asctime_text;
    int is_plain = date->tm_wday >= 0 && date->tm_wday < 7 && date->tm_mon >= 0 && date->tm_mon < 12
                   && date->tm_mday >= 0 && date->tm_mday < 100 && date->tm_hour >= 0 && date->tm_hour < 100
                   && date->tm_min >= 0 && date->tm_min < 100 && date->tm_sec >= 0 && date->tm_sec < 100
                   && date->tm_year >= -900 && date->tm_year <= 8099;
    if (!is_plain)
        __hardbop_unsupported("`asctime` of a date outside of the calendar");
    text[strftime(text, 32, "%a %b %e %H:%M:%S %Y\n", date)] = 0;
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
