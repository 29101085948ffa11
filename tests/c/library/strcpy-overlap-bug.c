// expect: unsafe
// says: overlap
#include <string.h>
int main(void) {
    char text[8] = "abcd";
    strcpy(text + 1, text); //~ violated
    return 0;
}
