// expect: unsafe
// options: --property valid-memsafety
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf buffer;
static void leaves(void) {
    char *p = malloc(4); //~ violated
    longjmp(buffer, 1);
    free(p);
}
int main(void) {
    if (!setjmp(buffer)) leaves();
    return 0;
}
