// expect: safe
// options: --property assert
#include <assert.h>
#include <pthread.h>
struct state { int n; struct state *self; };
static __thread struct state own;
static struct state *mine(void) {
  own.self = &own;
  return &own;
}
static void *work(void *arg) {
  struct state *it = mine();
  assert(it->n == 0);
  it->n++;
  assert(it->self == it && own.n == 1);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(mine()->n == 0);
  return 0;
}
