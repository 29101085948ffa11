// expect: unknown(unsupported)
// options: --property no-data-race
/* `memory_order_consume` orders what depends on the value: not followed. */
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
  if (atomic_load_explicit(&ready, memory_order_consume))
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
