// expect: safe
// What is copied is known although its length is not.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char from[8] = "abcdefg", to[8] = {0};
    int n = getchar();
    if (n < 0 || n > 7) return 0;
    memcpy(to, from, n);
    assert(strlen(to) == (size_t)n);
    return 0;
}
