// expect: unsafe
// options: --property deadlock
#include <pthread.h>
static pthread_mutex_t m;
static int n;
static void down(int depth) {
  pthread_mutex_lock(&m);  //~ violated
  n++;
  if (depth) down(depth - 1);
  pthread_mutex_unlock(&m);
}
static void *work(void *arg) {
  down(1);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_mutexattr_t attr;
  pthread_mutexattr_init(&attr);
pthread_mutexattr_settype(&attr, PTHREAD_MUTEX_NORMAL);
  pthread_mutex_init(&m, &attr);
  pthread_create(&a, 0, work, 0);
  down(1);
  pthread_join(a, 0);
  return 0;
}
