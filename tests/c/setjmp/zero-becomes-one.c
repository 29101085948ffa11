// expect: unsafe
// models: lp64 ilp32
// options: --property assert
#include <assert.h>
#include <setjmp.h>
int main(void) {
    jmp_buf buffer;
    switch (setjmp(buffer)) {
    case 0: longjmp(buffer, 0);
    case 1: assert(0); //~ violated
    default: return 0;
    }
}
