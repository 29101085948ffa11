// expect: unsafe
// options: --property assert
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf buffer;
static int compare(const void *a, const void *b) { longjmp(buffer, 2); }
int main(void) {
    int a[2] = {2, 1};
    if (setjmp(buffer) == 0) {
        qsort(a, 2, sizeof *a, compare);
        return 0;
    }
    assert(a[0] == 1); //~ violated
    return 0;
}
