// expect: unsafe
// options: --property null
// The text must be `-o` and nothing behind it: a long one, whose end no run is told, does not show it.
#include <string.h>
int main(int argc, char **argv) {
    char *out = "x";
    if (argc > 1 && argc < 4 && !strcmp(argv[1], "-o")) out = argv[2];
    return out[0]; //~ violated
}
