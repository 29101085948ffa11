// expect: safe
// options: --property no-data-race
/* A lock of its own, as weak as it may be. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int held;
static int x;
static void *first(void *arg) {
  while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
    ;
  x++;
  atomic_store_explicit(&held, 0, memory_order_release);
  return arg;
}
static void *second(void *arg) {
  while (atomic_exchange_explicit(&held, 1, memory_order_acquire))
    ;
  x++;
  atomic_store_explicit(&held, 0, memory_order_release);
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
