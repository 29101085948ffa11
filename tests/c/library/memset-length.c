// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char text[8] = "aaaaaaa";
    int n = getchar();
    if (n < 0 || n > 3) return 0;
    memset(text + 2, 'b', n);
    assert(n == 0 || text[2] == 'b');
    assert(text[1] == 'a');
    assert(text[2 + n] == 'a');
    return 0;
}
