// expect: safe
#include <assert.h>
#include <stdlib.h>
int main(void) {
    char *first = getenv("HOME"), *second = getenv("HOME");
    assert(first == second);
    return first && first[0] == '/';
}
