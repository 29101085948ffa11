// Options that are words: an argument of their own, one behind `=`, a flag, a word cut short.
// expect: safe
// options: --property assert,bounds,null
// models: lp64 ilp32
#include <assert.h>
#include <getopt.h>
#include <string.h>

int main(void)
{
    static int quiet;
    static const struct option words[] = {{"count", required_argument, 0, 'c'},
                                          {"color", optional_argument, 0, 'k'},
                                          {"quiet", no_argument, &quiet, 7},
                                          {0, 0, 0, 0}};
    char *arguments[] = {"x", "--count", "3", "--color=red", "--qui", "-c", "5", "--co", "--quiet=1", "rest", 0};
    int n = 10, at = -1;
    assert(getopt_long(n, arguments, "c:", words, &at) == 'c' && at == 0 && !strcmp(optarg, "3"));
    assert(getopt_long(n, arguments, "c:", words, &at) == 'k' && !strcmp(optarg, "red"));
    assert(getopt_long(n, arguments, "c:", words, 0) == 0 && quiet == 7);
    assert(getopt_long(n, arguments, "c:", words, 0) == 'c' && !strcmp(optarg, "5"));
    assert(getopt_long(n, arguments, "c:", words, 0) == '?');
    assert(getopt_long(n, arguments, "c:", words, 0) == '?' && optopt == 7);
    assert(getopt_long(n, arguments, "c:", words, 0) == -1 && optind == 9);
    return 0;
}
