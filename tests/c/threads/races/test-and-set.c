// expect: safe
// options: --property no-data-race
/* `__sync_lock_test_and_set` acquires, `__sync_lock_release` releases. */
#include <pthread.h>
#include <stdatomic.h>
static int held;
static int x;
static void *first(void *arg) {
  while (__sync_lock_test_and_set(&held, 1))
    ;
  x++;
  __sync_lock_release(&held);
  return arg;
}
static void *second(void *arg) {
  while (__sync_lock_test_and_set(&held, 1))
    ;
  x++;
  __sync_lock_release(&held);
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
