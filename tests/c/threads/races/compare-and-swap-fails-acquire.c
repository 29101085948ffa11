// expect: safe
// options: --property no-data-race
/* An exchange that fails, and acquires. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int ready;
static int x;
static void *first(void *arg) {
  x = 42;
  atomic_store_explicit(&ready, 1, memory_order_release);
  return arg;
}
static void *second(void *arg) {
  int none = 0;
  if (!atomic_compare_exchange_strong_explicit(&ready, &none, 0, memory_order_acq_rel, memory_order_acquire))
    x = 43;
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
