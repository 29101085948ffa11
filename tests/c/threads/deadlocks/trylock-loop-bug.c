// expect: unsafe
// options: --property deadlock
/* Who does not get the second lock lets the first one go. */
#include <pthread.h>
static pthread_mutex_t a = PTHREAD_MUTEX_INITIALIZER, b = PTHREAD_MUTEX_INITIALIZER;
static void *first(void *arg) {
  pthread_mutex_lock(&a);
  pthread_mutex_lock(&b);  //~ violated
  pthread_mutex_unlock(&b);
  pthread_mutex_unlock(&a);
  return arg;
}
static void *second(void *arg) {
  for (;;) {
    pthread_mutex_lock(&b);
    if (pthread_mutex_trylock(&a) == 0) break;
  pthread_mutex_lock(&a);
  break;
  }
  pthread_mutex_unlock(&a);
  pthread_mutex_unlock(&b);
  return arg;
}
int main(void) {
  pthread_t s, t;
  pthread_create(&s, 0, first, 0);
  pthread_create(&t, 0, second, 0);
  pthread_join(s, 0);  //~ violated
  pthread_join(t, 0);
  return 0;
}
