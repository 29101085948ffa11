// expect: safe
// options: --property unreach-call
// models: lp64 ilp32
// says: engine shape
// Ones and twos in turns, in a list of any length: which colour follows which is known.
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
    int one = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *it = malloc(sizeof *it);
        it->v = one ? 1 : 2;
        it->next = list;
        list = it;
        one = !one;
    }
    for (struct node *p = list; p; p = p->next) {
        one = !one;
        if (p->v != (one ? 1 : 2))
            reach_error();
    }
    return 0;
}
