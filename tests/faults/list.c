/* A list of any length holds a 2 behind ones. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

void *malloc(unsigned long);
struct node { int value; struct node *next; };

int main(void) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *it = malloc(sizeof *it);
        if (!it) return 0;
        it->value = list ? 2 : 1;
        it->next = list;
        list = it;
    }
    for (struct node *it = list; it; it = it->next) if (it->value == 2) reach_error();
    return 0;
}
