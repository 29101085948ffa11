/* Options of a command: `-v`, `-o FILE`, `--`, then names. `-D BUG`: `-o` at the end has no name. */
#include <stdio.h>
#include <string.h>

struct options {
    int verbose;
    const char *output;
    int first;
};

static int parse(int argc, char **argv, struct options *options) {
    int at = 1;
    for (; at < argc; at++) {
        if (!strcmp(argv[at], "--")) {
            at++;
            break;
        }
        if (!strcmp(argv[at], "-v")) options->verbose = 1;
        else if (!strcmp(argv[at], "-o")) {
#ifndef BUG
            if (at + 1 == argc) return 0;
#endif
            options->output = argv[++at];
        } else break;
    }
    options->first = at;
    return 1;
}

int main(int argc, char **argv) {
    struct options options = {0, "out", 0};
    if (argc > 3 || !parse(argc, argv, &options)) {
        fprintf(stderr, "usage: args [-v] [-o FILE] [--] NAME...\n");
        return 2;
    }
    printf("%d %c\n", options.verbose, options.output[0]);
    return 0;
}
