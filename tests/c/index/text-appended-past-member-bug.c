// What snprintf would have needed is added to the length: the next text begins behind the member.
// expect: unsafe
// options: --property index
#include <stdio.h>

struct builder {
    char text[16];
    unsigned long length, other;
};

int main(void)
{
    struct builder b = {"", 0, 0};
    for (int i = 0; i < 3; i++)
        b.length += snprintf(b.text + b.length, sizeof b.text - b.length, "%s", "0123456789"); //~ violated
    return 0;
}
