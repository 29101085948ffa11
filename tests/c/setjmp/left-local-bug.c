// expect: unsafe
// options: --property valid-memsafety
#include <setjmp.h>
static jmp_buf buffer;
static int *kept;
static void leaves(void) {
    int local = 1;
    kept = &local;
    longjmp(buffer, 1);
}
int main(void) {
    if (!setjmp(buffer)) leaves();
    return *kept; //~ violated
}
