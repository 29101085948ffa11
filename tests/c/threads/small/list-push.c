// expect: safe
// options: --property assert
/* A stack of nodes without locks: a push in two steps loses a node. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct node { struct node *next; };
static _Atomic(struct node *) top;
static struct node nodes[2];
static void *push(void *arg) {
  struct node *n = arg;
struct node *old = atomic_load(&top);
do n->next = old; while (!atomic_compare_exchange_strong(&top, &old, n));
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, push, &nodes[0]);
  pthread_create(&b, 0, push, &nodes[1]);
  pthread_join(a, 0);
  pthread_join(b, 0);
  int n = 0;
  for (struct node *it = top; it; it = it->next) n++;
  assert(n == 2);
  return 0;
}
