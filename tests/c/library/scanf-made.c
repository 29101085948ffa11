// expect: safe
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
int main(void) {
    char *word = 0, *digits = 0;
    int n = sscanf("hello 12", "%ms %m[0-9]", &word, &digits);
    int last = n == 2 ? word[4] + digits[1] : 0;
    free(word);
    free(digits);
    return last;
}
