// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    int x = 0, y = 0;
    char word[8];
    assert(sscanf("77 0x1f abc", "%d %x %7s", &x, &y, word) == 3);
    assert(x == 77 && y == 31 && !strcmp(word, "abc"));
    assert(sscanf("q", "%d", &x) == 0 && sscanf("", "%d", &x) == EOF);
    return 0;
}
