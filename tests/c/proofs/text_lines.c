// expect: safe
// Lines without end: each is filled anew, and walked along by its length.
#include <ctype.h>
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[64];
    int blanks = 0;
    while (fgets(line, sizeof line, stdin)) {
        for (size_t i = 0; i < strlen(line); i++)
            if (isspace((unsigned char)line[i]))
                blanks = 1;
    }
    return blanks;
}
