// expect: unsafe
#include <errno.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char text[16];
    FILE *f = fopen("missing", "r");
    if (!f) {
        strcpy(text, strerror(errno)); //~ violated
        return 1;
    }
    fclose(f);
    return 0;
}
