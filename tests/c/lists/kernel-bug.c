// expect: unsafe
// options: --property valid-memsafety
// One part is left behind where an entry has more than one.
void *malloc(unsigned long);
void free(void *);
int __VERIFIER_nondet_int(void);
struct link {
    struct link *next, *prev;
};
struct part {
    struct part *next;
};
struct entry {
    long key;
    struct link link;
    struct part *parts;
};
static void add(struct link *it, struct link *head)
{
    it->next = head;
    it->prev = head->prev;
    head->prev->next = it;
    head->prev = it;
}
static struct entry *entry(struct link *it)
{
    return (struct entry *)((char *)it - __builtin_offsetof(struct entry, link));
}
int main(void)
{
    struct link head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct entry *it = malloc(sizeof *it);
        it->parts = 0;
        while (__VERIFIER_nondet_int()) {
            struct part *p = malloc(sizeof *p); //~ violated
            p->next = it->parts;
            it->parts = p;
        }
        add(&it->link, &head);
    }
    struct link *at = head.next;
    while (at != &head) {
        struct entry *it = entry(at);
        at = at->next;
        while (it->parts) {
            struct part *p = it->parts;
            it->parts = 0;
            free(p);
        }
        free(it);
    }
    return 0;
}
