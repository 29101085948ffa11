// expect: safe
// models: lp64 ilp32
#include <assert.h>
#include <string.h>
#include <time.h>
int main(void) {
    time_t when = 951782400; /* 2000-02-29, a Tuesday */
    struct tm *date = gmtime(&when);
    assert(date && date->tm_year == 100 && date->tm_mon == 1 && date->tm_mday == 29);
    assert(date->tm_wday == 2 && date->tm_yday == 59 && date->tm_hour == 0);
    char text[32];
    assert(strftime(text, sizeof text, "%Y-%m-%d %a", date) == 14);
    assert(!strcmp(text, "2000-02-29 Tue"));
    assert(strftime(text, 10, "%F", date) == 0);
    assert(!strcmp(asctime(date), "Tue Feb 29 00:00:00 2000\n"));
    when = -1;
    assert(gmtime(&when)->tm_year == 69);
    return 0;
}
