// expect: unsafe
// options: --property valid-memtrack
// models: lp64 ilp32
#include <stdlib.h>
static void fill(void) {
    char *text = malloc(3); //~ violated
    text[0] = 1;
}
int main(void) {
    fill();
    exit(1);
}
