// expect: unsafe
#include <stdlib.h>
static void release(char **p) { free(*p); }
int main(void) {
    char *q;
    {
        __attribute__((cleanup(release))) char *p = malloc(3);
        q = p;
        q[0] = 1;
    }
    return q[0]; //~ violated
}
