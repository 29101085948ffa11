/* getopt: options that are single letters, in groups or not, and getopt_long: words too. Arguments are not moved around. */

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

struct __hardbop_option {
    const char *name;
    int has_argument;
    int *flag;
    int value;
};

/* Which of the words is meant: the one that is written, or the only one that begins so; -1 if there is none. */
int __hardbop_option_named(const char *word, size_t length, const struct __hardbop_option *words)
{
    int found = -1, is_open = 0;
    for (int i = 0; words[i].name; i++) {
        size_t same = 0;
        while (same < length && words[i].name[same] == word[same])
            same++;
        if (same < length)
            continue;
        if (!words[i].name[same])
            return i;
        if (found >= 0
            && (words[i].has_argument != words[found].has_argument || words[i].flag != words[found].flag
                || words[i].value != words[found].value))
            is_open = 1;
        else if (found < 0)
            found = i;
    }
    return is_open ? -1 : found;
}

int getopt_long(int n, char *const *arguments, const char *letters, const struct __hardbop_option *words,
                int *which)
{
    if (optind == 0) {
        optind = 1;
        __hardbop_optat = 0;
    }
    if (__hardbop_optat || optind >= n || !arguments[optind] || arguments[optind][0] != '-'
        || arguments[optind][1] != '-' || !arguments[optind][2])
        return getopt(n, arguments, letters);
    char *word = arguments[optind++] + 2;
    size_t length = 0;
    optarg = 0;
    while (word[length] && word[length] != '=')
        length++;
    int found = __hardbop_option_named(word, length, words);
    if (found < 0) {
        optopt = 0;
        return '?';
    }
    if (word[length]) {
        if (!words[found].has_argument) {
            optopt = words[found].value;
            return '?';
        }
        optarg = word + length + 1;
    } else if (words[found].has_argument == 1) {
        if (optind >= n || !arguments[optind]) {
            optopt = words[found].value;
            return letters[0] == ':' ? ':' : '?';
        }
        optarg = arguments[optind++];
    }
    if (which)
        *which = found;
    if (words[found].flag) {
        *words[found].flag = words[found].value;
        return 0;
    }
    return words[found].value;
}
