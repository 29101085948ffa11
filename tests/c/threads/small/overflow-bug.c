// expect: unsafe
// options: --property no-overflow
#include <limits.h>
#include <pthread.h>
static int n = INT_MAX - 2;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg) {
  pthread_mutex_lock(&m);
n += 2;  //~ violated
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
