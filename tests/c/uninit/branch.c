// expect: unsafe
// options: --property uninit
extern int __VERIFIER_nondet_int(void);
struct pair { int x, y; };
static int sum(struct pair *p) { return p->x + p->y; } //~ violated
int main(void) {
    struct pair p;
    p.x = 1;
    if (__VERIFIER_nondet_int())
        p.y = 2;
    return sum(&p);
}
