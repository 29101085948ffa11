// expect: unsafe
// options: --property deadlock
/* A thread that ends does not let its lock go. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
if (arg) pthread_exit(0);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a;
  int x;
  pthread_create(&a, 0, work, &x);
  pthread_join(a, 0);
  pthread_mutex_lock(&m);  //~ violated
  pthread_mutex_unlock(&m);
  return 0;
}
