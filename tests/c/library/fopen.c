// expect: safe
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "r");
    if (!f) return 1;
    int c = fgetc(f);
    fclose(f);
    return c == 'a';
}
