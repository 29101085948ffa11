// expect: unsafe
// options: --property valid-deref
// models: lp64 ilp32
// One byte of the last link is not zero: the list does not end there, though the node was cleared.
void *malloc(unsigned long);
void *calloc(unsigned long, unsigned long);
int __VERIFIER_nondet_int(void);
struct node {
    struct node *next;
};
int main(void)
{
    struct node *list = calloc(1, sizeof *list);
    if (!list)
        return 0;
    ((char *)&list->next)[1] = 1;
    do {
        struct node *it = malloc(sizeof *it);
        if (!it)
            return 0;
        it->next = list;
        list = it;
    } while (__VERIFIER_nondet_int());
    for (struct node *p = list; p; p = p->next) //~ violated
        ;
    return 0;
}
