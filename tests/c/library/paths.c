// expect: safe
#include <assert.h>
#include <libgen.h>
#include <string.h>
int main(void)
{
    char a[] = "/usr/lib/", b[] = "/usr/lib/", c[] = "name", d[] = "/";
    assert(strcmp(basename(a), "lib") == 0);
    assert(strcmp(dirname(b), "/usr") == 0);
    assert(strcmp(dirname(c), ".") == 0);
    assert(strcmp(basename(d), "/") == 0);
    return 0;
}
