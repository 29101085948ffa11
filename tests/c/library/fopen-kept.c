// expect: safe
// options: --property leak
#include <stdio.h>
int main(void) {
    FILE *f = fopen("x", "w");
    if (f) fputc('a', f);
    return 0;
}
