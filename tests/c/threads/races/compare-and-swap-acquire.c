// expect: safe
// options: --property no-data-race
/* A lock by compare and exchange; one that fails need not order anything. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int held;
static int x;
static void *first(void *arg) {
  int none = 0;
  while (!atomic_compare_exchange_strong_explicit(&held, &none, 1, memory_order_acquire, memory_order_relaxed))
    none = 0;
  x++;
  atomic_store_explicit(&held, 0, memory_order_release);
  return arg;
}
static void *second(void *arg) {
  int none = 0;
  while (!atomic_compare_exchange_strong_explicit(&held, &none, 1, memory_order_acquire, memory_order_relaxed))
    none = 0;
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
