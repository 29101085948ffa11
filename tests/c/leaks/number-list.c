// expect: safe
// options: --property valid-memtrack
#include <stdint.h>
#include <stdlib.h>
struct Node {
    uintptr_t next;
};
static struct Node *root;
int main(void) {
    for (int i = 0; i < 2; i++) {
        struct Node *node = malloc(sizeof *node);
        node->next = (uintptr_t)root | (i & 1);
        root = node;
    }
    return 0;
}
