// expect: safe
// models: lp64 ilp32
#define _GNU_SOURCE
#include <assert.h>
#include <string.h>
#include <strings.h>
int main(void) {
    char text[16] = "a,b;c", *state, *at = text;
    assert(strspn("aabbc", "ab") == 4 && strcspn("xyzab", "ab") == 3);
    assert(strpbrk("hello", "lo") != 0 && strnlen("hello", 3) == 3);
    assert(!strcmp(strtok_r(text, ",;", &state), "a"));
    assert(!strcmp(strtok_r(0, ",;", &state), "b"));
    assert(!strcmp(strtok_r(0, ",;", &state), "c"));
    assert(strtok_r(0, ",;", &state) == 0);
    assert(stpcpy(text, "abc") == text + 3);
    assert(strcasecmp("HeLLo", "hEllO") == 0 && strncasecmp("abX", "ABy", 2) == 0);
    assert(memrchr("abca", 'a', 4) != 0 && memmem("abcd", 4, "cd", 2) != 0);
    assert(!strcmp(strsep(&at, "b"), "a") && !strcmp(at, "c"));
    bzero(text, sizeof text);
    assert(text[0] == 0 && text[15] == 0 && ffs(8) == 4);
    return 0;
}
