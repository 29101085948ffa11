// expect: unsafe
// says: `fclose`
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "w");
    if (!f) return 1;
    fputs("text", f);
    fclose(f);
    fclose(f); //~ violated
    return 0;
}
