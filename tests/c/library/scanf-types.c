// expect: safe
// options: --property library
// models: lp64 ilp32
#include <stdio.h>
struct Row {
    unsigned char level;
    short n;
    size_t size;
    char name[8];
};
int main(void) {
    struct Row row;
    unsigned u = 0;
    double d;
    long double l;
    char c = 0;
    void *p;
    if (scanf("%hhu %hd %zu %lf", &row.level, &row.n, &row.size, &d) != 4)
        return 1;
    p = &u;
    return sscanf("ab 4 ff 6.5x", "%7s %*d %x %Lf%c%n", row.name, p, &l, &c, (int *)&u) + c;
}
