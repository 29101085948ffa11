/* Reads one line of comma-separated values with quotes into fields of fixed length. `-D BUG`: the end of a
 * field is written without asking whether there is room. */
#include <stdio.h>

#define FIELDS 2
#define LENGTH 3

struct row {
    char field[FIELDS][LENGTH];
    int n;
};

static void put(struct row *row, int *at, int c) {
    if (*at < LENGTH - 1) row->field[row->n][(*at)++] = (char)c;
}

static int finish(struct row *row, int *at) {
#ifndef BUG
    if (row->n == FIELDS) return 0;
#endif
    row->field[row->n][*at] = '\0';
    row->n++;
    *at = 0;
    return row->n < FIELDS;
}

static int read_row(struct row *row) {
    int at = 0, quoted = 0, c, left = 5;
    row->n = 0;
    while (left-- > 0 && (c = getchar()) != EOF && c != '\n') {
        if (c == '"') quoted = !quoted;
        else if (c == ',' && !quoted) {
            if (!finish(row, &at)) break;
        } else put(row, &at, c);
    }
    finish(row, &at);
    return row->n;
}

int main(void) {
    struct row row;
    int n = read_row(&row);
    for (int i = 0; i < n; i++) puts(row.field[i]);
    return 0;
}
