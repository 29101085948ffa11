// expect: safe
#include <stdio.h>
int main(void) {
    char name[2] = {'a', 'b'};
    printf("%.2s %.*s %5d %zu %p\n", name, 2, name, 3, sizeof name, (void *)name);
    fprintf(stderr, "%s\n", "done");
    return 0;
}
