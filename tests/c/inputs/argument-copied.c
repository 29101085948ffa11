// expect: unsafe
// options: --property bounds
#include <string.h>
int main(int argc, char **argv) {
    char b[16];
    if (argc < 2) return 1;
    strcpy(b, argv[1]); //~ violated
    return b[0];
}
