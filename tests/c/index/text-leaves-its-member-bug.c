// expect: unsafe
// options: --all
// The text in the member has no end there, and goes on in the next one, where it has: nobody may read so far.
#include <stdio.h>
#include <string.h>
struct {
    char name[4], rest[4];
} person;
int main(void)
{
    char line[20];
    while (fgets(line, sizeof line, stdin)) {
        memcpy(person.name, "abcd", 4);
        if (strcmp(person.name, line) == 0) //~ violated
            return 1;
    }
    return 0;
}
