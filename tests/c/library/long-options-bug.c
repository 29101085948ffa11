// The argument of an option is a divisor.
// expect: unsafe
// options: --property div
#include <getopt.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
    static const struct option words[] = {{"n", required_argument, 0, 'n'}, {0, 0, 0, 0}};
    int c, count = 1;
    while ((c = getopt_long(argc, argv, "n:", words, NULL)) != -1)
        if (c == 'n')
            count = atoi(optarg);
    return 100 / count; //~ violated
}
