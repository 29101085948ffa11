// expect: safe
// options: --property assert
#include <assert.h>
#include <setjmp.h>
static jmp_buf buffers[3];
static int came;
static void down(int n) {
    if (setjmp(buffers[n]) == 0) {
        if (n < 2) down(n + 1);
        else longjmp(buffers[1], 5);
        assert(0);
    } else {
        came = came * 10 + n;
        if (n > 0) longjmp(buffers[n - 1], 1);
    }
}
int main(void) {
    down(0);
    assert(came == 10);
    return 0;
}
