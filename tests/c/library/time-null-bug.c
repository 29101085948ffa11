// expect: unsafe
#include <time.h>
int main(void) {
    time_t now = time(0);
    struct tm *date = localtime(&now);
    return date->tm_hour; //~ violated
}
