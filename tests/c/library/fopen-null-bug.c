// expect: unsafe
// says: `fgetc`
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    int c = fgetc(f); //~ violated
    if (f) fclose(f);
    return c == 'a';
}
