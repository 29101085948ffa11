/* One field of a line; fields are separated by tabs, the argument is a digit. `-D BUG`: the field may be
 * one before the first. */
#include <stdio.h>
#include <string.h>

#define FIELDS 3

static int split(char *line, char *fields[FIELDS]) {
    int n = 0;
    for (char *at = line; n < FIELDS; at++) {
        fields[n++] = at;
        at = strchr(at, '\t');
        if (!at) break;
        *at = '\0';
    }
    return n;
}

int main(int argc, char **argv) {
    char line[4], *fields[FIELDS];
    int wanted = argc > 1 ? argv[1][0] - '0' : 1;
#ifdef BUG
    if (wanted > FIELDS) return 2;
#else
    if (wanted < 1 || wanted > FIELDS) return 2;
#endif
    if (fgets(line, sizeof line, stdin)) {
        int n = split(line, fields);
        if (wanted <= n) puts(fields[wanted - 1]);
    }
    return 0;
}
