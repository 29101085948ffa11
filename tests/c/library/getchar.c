// expect: safe
#include <assert.h>
#include <stdio.h>
int main(void) {
    int c = getchar();
    assert(c == EOF || c >= 0 && c <= 255);
    if (c == EOF) assert(feof(stdin) && getchar() == EOF);
    else assert(ungetc(c, stdin) == c && getchar() == c);
    return 0;
}
