// expect: safe
// options: --property valid-memcleanup
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct Node {
    struct Node *next;
};
int main(void) {
    struct Node *head = 0;
    while (__VERIFIER_nondet_int()) {
        struct Node *node = malloc(sizeof *node);
        node->next = head;
        head = node;
    }
    while (head) {
        struct Node *next = head->next;
        free(head);
        head = next;
    }
    return 0;
}
