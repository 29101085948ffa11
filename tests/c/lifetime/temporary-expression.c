// expect: safe
// models: lp64 ilp32
struct triple { int part[3], n; };
struct triple make(int n) { return (struct triple){ { 1, 2, 3 }, n }; }
int sum(struct triple t, const int *p) { return t.n + p[1]; }
int main(void) {
    const int *p;
    int r = sum(make(3), make(4).part);
    struct triple t = make(5);
    r += t.n;
    if (make(1).n) r++;
    for (struct triple u = make(0); u.n < make(3).n; u = make(u.n + 1)) r += make(u.n).part[0];
    r += (r ? make(7) : make(8)).n;
    r += (p = make(0).part, p[1]);
    r += ({ make(3); }).n;
    if (r != 5 + 5 + 1 + 3 + 7 + 2 + 3) *(int *)0 = 1;
    return 0;
}
