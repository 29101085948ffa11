// expect: safe
#include <assert.h>
#include <stdio.h>
#include <string.h>
int main(void)
{
    char line[8] = "a", word[8] = "bcd";
    int n = snprintf(line + 1, sizeof line - 1, "%s%s", word, word);
    assert(n == 6);
    assert(strcmp(line, "abcdbcd") == 0);
    n = snprintf(word, sizeof word, "%s", line + 3);
    assert(n == 4 && strcmp(word, "dbcd") == 0);
    return 0;
}
