// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[8] = "aaaaaaa";
    int n = getchar(), at = getchar();
    if (n < 0 || n > 3 || at < 0 || at > 4) return 0;
    memset(text + at, 'b', n);
    assert(n == 0 || text[at] == 'b');
    assert(at == 0 || text[at - 1] == 'a');
    assert(at + n == 7 || text[at + n] == 'a');
    return 0;
}
