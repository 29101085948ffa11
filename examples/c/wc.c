/* Counts lines, words and bytes of standard input, and keeps the last word. `-D BUG`: a word that is too
 * long is cut one byte too late. */
#include <ctype.h>
#include <stdio.h>

#ifdef BUG
#define ROOM sizeof word
#else
#define ROOM (sizeof word - 1)
#endif

int main(void) {
    unsigned long lines = 0, words = 0, bytes = 0;
    char word[8];
    size_t n = 0;
    int c;
    while ((c = getchar()) != EOF) {
        bytes++;
        if (c == '\n') lines++;
        if (isspace(c)) {
            if (n > 0) words++;
            word[n] = '\0';
            n = 0;
        } else if (n < ROOM) {
            word[n++] = (char)c;
        }
    }
    printf("%lu %lu %lu\n", lines, words, bytes);
    return 0;
}
