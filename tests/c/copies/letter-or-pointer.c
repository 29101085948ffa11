// expect: safe
// options: --property bounds,null --all
// A pattern is compiled to letters and pointers to sets of letters, which share their place; how far that comes, and whether it
// fails, depends on what is read.
extern char __VERIFIER_nondet_char(void);
struct part {
    unsigned char kind;
    union { unsigned char letter; unsigned char *set; } is;
};
static struct part parts[30];
static unsigned char sets[40];
static struct part *compiled(const char *text)
{
    int i = 0, j = 0, n = 1;
    while (text[i] && j + 1 < 30) {
        if (text[i] == '.') {
            parts[j].kind = 3;
        } else if (text[i] == '[') {
            int begin = n;
            parts[j].kind = 1;
            while (text[++i] != ']' && text[i])
                sets[n++] = (unsigned char)text[i];
            sets[n++] = 0;
            parts[j].is.set = &sets[begin];
        } else {
            parts[j].kind = 2;
            parts[j].is.letter = (unsigned char)text[i];
        }
        if (!text[i])
            return 0;
        i++;
        j++;
    }
    parts[j].kind = 0;
    return parts;
}
static int fits(struct part one, char c)
{
    switch (one.kind) {
    case 1:
        return one.is.set[0] == (unsigned char)c;
    case 3:
        return 1;
    default:
        return one.is.letter == (unsigned char)c;
    }
}
int main(void)
{
    char text[3], word[3];
    text[0] = __VERIFIER_nondet_char();
    text[1] = __VERIFIER_nondet_char();
    word[0] = __VERIFIER_nondet_char();
    word[1] = __VERIFIER_nondet_char();
    text[2] = word[2] = 0;
    struct part *part = compiled(text);
    if (!part)
        return 1;
    for (int i = 0; word[i] && part->kind; i++)
        if (!fits(*part++, word[i]))
            return 2;
    return 0;
}
