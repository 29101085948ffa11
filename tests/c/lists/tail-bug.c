// expect: unsafe
// options: --property valid-memtrack
// models: lp64 ilp32
// Only the last element is held at the end: those before it, which lead to it, are lost.
void *malloc(unsigned long);
int __VERIFIER_nondet_int(void);
struct node {
    struct node *next;
    struct node *first;
};
struct node *tail;
int main(void)
{
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *it = malloc(sizeof *it); //~ violated
        if (!it)
            return 0;
        it->next = list;
        it->first = 0;
        if (!list)
            tail = it;
        list = it;
    }
    return 0;
}
