// expect: unsafe
// says: constant memory
#include <string.h>
int main(void) {
    return strtok("a b", " ") == 0; //~ violated
}
