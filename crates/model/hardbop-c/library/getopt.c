/* getopt: options that are single letters, in groups or not. Arguments are not moved around. */

char *optarg;

int optind = 1;

int opterr = 1;

int optopt = '?';

/* Where in a group of letters the next one stands; 0 at its beginning. */
int __hardbop_optat;

int getopt(int n, char *const *arguments, const char *letters)
{
    if (optind == 0) {
        optind = 1;
        __hardbop_optat = 0;
    }
    optarg = 0;
    if (!__hardbop_optat) {
        if (optind >= n || !arguments[optind])
            return -1;
        const char *word = arguments[optind];
        if (word[0] != '-' || !word[1])
            return -1;
        if (word[1] == '-' && !word[2]) {
            optind++;
            return -1;
        }
        __hardbop_optat = 1;
    }
    char *word = arguments[optind];
    char letter = word[__hardbop_optat++];
    int is_last = !word[__hardbop_optat];
    int is_silent = letters[0] == ':';
    const char *known = letter == ':' ? 0 : strchr(letters, letter);
    if (is_last) {
        optind++;
        __hardbop_optat = 0;
    }
    if (!known) {
        optopt = (unsigned char)letter;
        return '?';
    }
    if (known[1] != ':')
        return (unsigned char)letter;
    if (!is_last) {
        optarg = word + __hardbop_optat;
        optind++;
        __hardbop_optat = 0;
    } else if (known[2] != ':') {
        if (optind >= n || !arguments[optind]) {
            optopt = (unsigned char)letter;
            return is_silent ? ':' : '?';
        }
        optarg = arguments[optind++];
    }
    return (unsigned char)letter;
}

int getopt_long(int n, char *const *arguments, const char *letters, const void *words, int *which)
{
    __hardbop_unsupported("`getopt_long`");
    return -1;
}
