// expect: unsafe
// options: --property assert
/* The weak exchange may fail although the value is the expected one. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_int n;
static void *add(void *arg) {
  int old = atomic_load(&n);
if (!atomic_compare_exchange_weak(&n, &old, old + 1)) atomic_compare_exchange_weak(&n, &old, old + 1);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, add, 0);
  pthread_join(a, 0);
assert(atomic_load(&n) == 1);  //~ violated
  return 0;
}
