// expect: safe
// Nothing is open here: that `%Lf` would be read as a long double is no matter where it is not read.
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    int x = 0;
    char word[8];
    assert(sscanf("77 abc", "%d %7s", &x, word) == 2 && x == 77 && strcmp(word, "abc") == 0);
    return 0;
}
