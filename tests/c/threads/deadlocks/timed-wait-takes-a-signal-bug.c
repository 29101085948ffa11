// expect: unsafe
// options: --property deadlock
/* A thread that waits for a time only is woken as any other, and then another is not. */
#include <pthread.h>
#include <time.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int waits;
static void *patient(void *arg) {
  pthread_mutex_lock(&m);
  waits++;
  pthread_cond_wait(&c, &m);  //~ violated
  pthread_mutex_unlock(&m);
  return arg;
}
static void *hasty(void *arg) {
  struct timespec until = { 1, 0 };
  pthread_mutex_lock(&m);
  waits++;
pthread_cond_timedwait(&c, &m, &until);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, patient, 0);
  pthread_create(&b, 0, hasty, 0);
  int all = 0;
  while (!all) {
    pthread_mutex_lock(&m);
    all = waits == 2;
    pthread_mutex_unlock(&m);
  }
  pthread_mutex_lock(&m);
  pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);  //~ violated
  pthread_join(b, 0);
  return 0;
}
