// expect: unsafe
// options: --property deadlock
/* The flag is written outside the lock: between the look and the wait. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static _Atomic int ready;
static void *waiter(void *arg) {
  pthread_mutex_lock(&m);
  while (!ready) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, waiter, 0);
  ready = 1;
  pthread_cond_signal(&c);
  pthread_join(a, 0);  //~ violated
  return 0;
}
