// A list whose nodes hold the addresses of both neighbours in one number.
// expect: safe
// options: --property assert
// models: lp64 ilp32
#include <assert.h>
#include <stdint.h>
struct node { int value; uintptr_t link; };
static struct node a, b, c;
static int sum(struct node *from) {
    int total = 0;
    uintptr_t before = 0;
    for (int i = 0; i < 3 && from; i++) {
        uintptr_t here = (uintptr_t)from;
        total = 10 * total + from->value;
        from = (struct node *)(from->link ^ before);
        before = here;
    }
    return total;
}
int main(void) {
    a.value = 1;
    b.value = 2;
    c.value = 3;
    a.link = (uintptr_t)&b;
    b.link = (uintptr_t)&a ^ (uintptr_t)&c;
    c.link = (uintptr_t)&b;
    assert(sum(&a) == 123);
    assert(sum(&c) == 321);
    return 0;
}
