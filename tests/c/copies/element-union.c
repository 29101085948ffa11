// expect: safe
// A union that holds a number in one element and a pointer in another.
#include <assert.h>
extern unsigned nondet_uint(void);
struct token {
    unsigned char kind;
    union {
        unsigned char letter;
        const char *text;
    } u;
};
static const char word[] = "xyz";
static int matches(struct token t, char c)
{
    return t.kind == 0 ? t.u.letter == (unsigned char)c : t.u.text[1] == c;
}
int main(void)
{
    struct token tokens[3];
    for (int i = 0; i < 3; i++) {
        tokens[i].kind = i == 1;
        if (i == 1)
            tokens[i].u.text = word;
        else
            tokens[i].u.letter = (unsigned char)('a' + i);
    }
    unsigned i = nondet_uint();
    if (i >= 3)
        return 0;
    assert(matches(tokens[i], i == 1 ? 'y' : (char)('a' + i)));
    return 0;
}
