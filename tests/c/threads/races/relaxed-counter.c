// expect: safe
// options: --property no-data-race
/* A counter that is added to by both: each addition is one step, and the end of a thread orders the rest. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int n;
static void *first(void *arg) {
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
  return arg;
}
static void *second(void *arg) {
  atomic_fetch_add_explicit(&n, 1, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
