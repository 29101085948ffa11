// expect: unsafe
// options: --property assert
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static pthread_mutex_t m;
static void *other(void *arg) {
  assert(pthread_mutex_unlock(&m) == EPERM);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_ERRORCHECK);
  pthread_mutex_init(&m, &attr);
  pthread_mutex_lock(&m);
  pthread_create(&a, 0, other, 0);
assert(pthread_mutex_trylock(&m) == EDEADLK);  //~ violated
  pthread_join(a, 0);
  pthread_mutex_unlock(&m);
  return 0;
}
