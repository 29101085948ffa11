// expect: unsafe
// options: --property no-data-race
/* A store by another thread ends the release sequence. */
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
  if (atomic_load_explicit(&ready, memory_order_acquire) == 2)
    x = 43;  //~ violated
  return arg;
}
static void *third(void *arg) {
  if (atomic_load_explicit(&ready, memory_order_relaxed) == 1)
    atomic_store_explicit(&ready, 2, memory_order_relaxed);
  return arg;
}
int main(void) {
  pthread_t one, two, three;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_create(&three, 0, third, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_join(three, 0);
  return 0;
}
