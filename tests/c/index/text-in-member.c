// Texts and bytes that fit the member they are written for. A pointer made of a member, or a cast, may go through the
// whole object; a last member of one element is how one without an end was written before C99.
// expect: safe
// options: --property bounds,index
// models: lp64 ilp32
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct record {
    char name[8];
    char rest[4];
    int number;
};

struct old {
    int n;
    char text[1];
};

int main(void)
{
    struct record r, *p = &r;
    char names[3][5] = {"a", "b", "c"};
    double m[2][2] = {{1, 2}, {3, 4}}, k[2][2];
    struct old *old = malloc(sizeof *old + 5);
    if (!old)
        return 1;
    memset(&r, 0, sizeof r);
    strcpy(r.name, "1234567");
    strcpy(r.name + 4, "567");
    strncpy(p->rest, "abcd", sizeof p->rest);
    snprintf(p->name, sizeof p->name, "%s", "a long text");
    snprintf(&p->name[2], sizeof p->name - 2, "%s", "a long text");
    fgets(p->name, sizeof p->name, stdin);
    memcpy(r.name, "abcdefgh", sizeof r.name);
    memcpy((char *)r.name, "abcdefghijkl", 12);
    char *q = r.name;
    memset(q, 0, 12);
    strcpy(names[1], "abcd");
    memcpy(k[0], m[0], sizeof m);
    strcpy(old->text, "hello");
    free(old);
    return 0;
}
