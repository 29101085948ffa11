// expect: unsafe
#include <assert.h>
#include <stdio.h>
struct item { int kind, value; };
int main(void) {
    struct item table[3] = {{0, 5}, {1, 6}, {2, 8}};
    int c = getchar();
    if (c < '0' || c > '2') return 0;
    struct item x = table[c - '0'];
    assert(x.kind + 5 == x.value); //~ violated
    return 0;
}
