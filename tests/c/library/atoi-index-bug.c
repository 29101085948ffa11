// expect: unsafe
#include <stdlib.h>
int main(int argc, char **argv) {
    int table[4] = {0};
    if (argc < 2) return 0;
    int i = atoi(argv[1]);
    return i > 3 ? 1 : table[i]; //~ violated
}
