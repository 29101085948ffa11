// expect: unsafe
// options: --property valid-memtrack
#include <stdint.h>
#include <stdlib.h>
struct Node {
    uintptr_t next;
};
static struct Node *root;
static struct Node *after(struct Node *node) { return (struct Node *)(node->next & ~(uintptr_t)1); }
int main(void) {
    for (int i = 0; i < 2; i++) {
        struct Node *node = malloc(sizeof *node); //~ violated
        node->next = (uintptr_t)root | (i & 1);
        root = node;
    }
    root = after(root);
    return 0;
}
