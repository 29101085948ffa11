// expect: unknown(unsupported)
// options: --property assert
#include <assert.h>
#include <setjmp.h>
static jmp_buf buffer;
static int sets(void) { return setjmp(buffer); }
int main(void) {
    int result = sets();
    if (result == 0) longjmp(buffer, 1);
    assert(result != 0);
    return 0;
}
