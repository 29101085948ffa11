// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void) {
    char line[6];
    if (!fgets(line, sizeof line, stdin)) return 1;
    size_t n = strlen(line);
    assert(n < sizeof line);
    if (n && line[n - 1] == '\n') line[n - 1] = 0;
    printf("%s\n", line);
    return 0;
}
