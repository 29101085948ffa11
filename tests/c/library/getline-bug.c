// expect: unsafe
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *line = 0;
    size_t size = 0;
    ssize_t n = getline(&line, &size, stdin);
    free(line);
    if (n == 2) return line[0]; //~ violated
    return 0;
}
