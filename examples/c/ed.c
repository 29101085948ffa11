/* A line editor: `a` adds a line, `d` drops the last one, `q` ends. `-D BUG`: dropping does not ask whether
 * there is a line. */
#include <stdio.h>
#include <stdlib.h>

struct line {
    struct line *before;
    int first;
};

struct buffer {
    struct line *last;
    unsigned n;
};

static void add(struct buffer *buffer, int first) {
    struct line *line = malloc(sizeof *line);
    if (!line) exit(1);
    line->before = buffer->last;
    line->first = first;
    buffer->last = line;
    buffer->n++;
}

static void drop(struct buffer *buffer) {
    struct line *line = buffer->last;
#ifndef BUG
    if (!line) return;
#endif
    buffer->last = line->before;
    buffer->n--;
    free(line);
}

int main(void) {
    struct buffer buffer = {0, 0};
    for (int step = 0; step < 3; step++) {
        int c = getchar();
        if (c == 'a') add(&buffer, getchar());
        else if (c == 'd') drop(&buffer);
        else if (c == 'q' || c == EOF) break;
    }
    while (buffer.n > 0) drop(&buffer);
    return 0;
}
