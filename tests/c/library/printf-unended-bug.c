// expect: unsafe
#include <stdio.h>
int main(void) {
    char name[2] = {'a', 'b'};
    printf("%s\n", name); //~ violated
    return 0;
}
