// expect: unsafe
// options: --property unreach-call
// Behind the third element the turns end.
void *malloc(unsigned long);
int __VERIFIER_nondet_int(void);
void reach_error(void);
struct node {
    int v;
    struct node *next;
};
int main(void)
{
    struct node *list = 0;
    int one = 0, n = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *it = malloc(sizeof *it);
        it->v = one ? 1 : 2;
        it->next = list;
        list = it;
        if (n++ < 3)
            one = !one;
    }
    for (struct node *p = list; p; p = p->next) {
        one = !one;
        if (p->v != (one ? 1 : 2))
            reach_error(); //~ violated
    }
    return 0;
}
