// expect: safe
// options: --property assert
#include <assert.h>
#include <setjmp.h>
#include <string.h>
static jmp_buf *handler;
static void raise_error(int code) { longjmp(*handler, code); }
static int divided(int a, int b) {
    if (b == 0) raise_error(3);
    return a / b;
}
static int guarded(int a, int b) {
    jmp_buf here, *before = handler;
    handler = &here;
    int code = setjmp(here);
    if (code != 0) {
        handler = before;
        raise_error(code + 1);
    }
    int result = divided(a, b);
    handler = before;
    return result;
}
int main(void) {
    jmp_buf outermost, copy;
    int code = setjmp(outermost);
    if (code == 0) {
        memcpy(&copy, &outermost, sizeof copy);
        handler = &copy;
        assert(guarded(6, 3) == 2);
        guarded(1, 0);
        assert(0);
    }
    assert(code == 4);
    return 0;
}
