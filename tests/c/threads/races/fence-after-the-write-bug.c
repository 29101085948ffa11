// expect: unsafe
// options: --property no-data-race
/* What is done after a fence is not released by it. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic int ready;
static int x;
static void *first(void *arg) {
  atomic_thread_fence(memory_order_release);
  x = 42;
  atomic_store_explicit(&ready, 1, memory_order_relaxed);
  return arg;
}
static void *second(void *arg) {
  if (atomic_load_explicit(&ready, memory_order_acquire))
    x = 43;  //~ violated
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
