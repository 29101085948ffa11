// expect: safe
// models: lp64 ilp32
#include <assert.h>
static int calls;
static int made(int n) {
    calls++;
    return n;
}
int main(void) {
    int n = 2, x = 0;
    char fixed[n][3], variable[3][n];
    assert(sizeof fixed[x++] == 3 && x == 0);
    assert(sizeof variable[x++] == 2 && x == 1);
    assert(sizeof *&variable[made(1)] == 2 && calls == 1);
    assert(sizeof *(char (*)[made(5)])0 == 5 && calls == 2);
    assert(sizeof(variable[0][made(0)]) == 1 && calls == 2);
    char (*p)[n] = variable;
    assert(sizeof *p++ == 2 && p == variable + 1);
    n = 9;
    assert(sizeof variable == 6 && sizeof *p == 2);
    return 0;
}
