// expect: unsafe
// options: --property race
/* A record that is copied while a member of it is written. */
#include <pthread.h>
struct pair { int a, b; };
static struct pair shared, copy;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  pthread_mutex_lock(&m);
  shared.b = 1;  //~ violated
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  copy = shared;  //~ violated
  pthread_join(a, 0);
  return copy.a;
}
