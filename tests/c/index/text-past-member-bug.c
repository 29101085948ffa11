// The text fits the structure, but not the member it is written for.
// expect: unsafe
// options: --property index
// models: lp64 ilp32
#include <string.h>

struct record {
    char name[8];
    int number;
};

int main(void)
{
    struct record r = {"", 0};
    strcpy(r.name, "12345678"); //~ violated
    return r.number;
}
