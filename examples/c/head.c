/* The first lines of standard input; `-3` says how many. `-D BUG`: a line without its end, at the end of
 * the input, is taken for one that has it. */
#include <ctype.h>
#include <stdio.h>
#include <string.h>

static int number(const char *text, int *n) {
    if (text[0] != '-' || !isdigit((unsigned char)text[1])) return 0;
    *n = text[1] - '0';
    return 1;
}

int main(int argc, char **argv) {
    char line[4];
    int n = 2, at = 0, reads = 0;
    if (argc > 1 && !number(argv[1], &n)) {
        fprintf(stderr, "usage: head [-LINES]\n");
        return 2;
    }
    while (at < n && reads++ < 2 && fgets(line, sizeof line, stdin)) {
        size_t length = strlen(line);
#ifndef BUG
        if (length > 0 && line[length - 1] == '\n')
#endif
        {
            line[length - 1] = '\0';
            at++;
        }
        puts(line);
    }
    return 0;
}
