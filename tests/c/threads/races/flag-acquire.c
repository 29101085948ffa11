// expect: safe
// options: --property no-data-race
/* An `atomic_flag` as a lock, with the orders that suffice. */
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag held = ATOMIC_FLAG_INIT;
static int x;
static void *first(void *arg) {
  while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
    ;
  x++;
  atomic_flag_clear_explicit(&held, memory_order_release);
  return arg;
}
static void *second(void *arg) {
  while (atomic_flag_test_and_set_explicit(&held, memory_order_acquire))
    ;
  x++;
  atomic_flag_clear_explicit(&held, memory_order_release);
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
