// expect: safe
#include <assert.h>
#include <time.h>
int main(void) {
    time_t now = time(0);
    struct tm *date = localtime(&now);
    if (date) assert(date->tm_hour >= 0 && date->tm_hour < 24 && date->tm_mon <= 11);
    return 0;
}
