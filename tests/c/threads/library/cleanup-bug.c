// expect: unsafe
// options: --property assert
#include <assert.h>
#include <pthread.h>
static int n;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void unlock(void *arg) { pthread_mutex_unlock(arg); }
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  pthread_cleanup_push(unlock, &m);
  n++;
pthread_cleanup_pop(0);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  assert(pthread_mutex_trylock(&m) == 0);  //~ violated
  return 0;
}
