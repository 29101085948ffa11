// expect: unsafe
// says: `strlen`
#include <string.h>
int main(void) {
    char text[2] = {'a', 'b'};
    return (int)strlen(text); //~ violated
}
