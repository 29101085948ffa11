// expect: unsafe
// options: --property deadlock
/* Two kinds of waiters share a condition variable: a signal may wake the wrong one. */
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int turn;
static void *one(void *arg) {
  pthread_mutex_lock(&m);
  while (turn < 1) pthread_cond_wait(&c, &m);  //~ violated
  turn = 2;
  pthread_cond_broadcast(&c);
  pthread_mutex_unlock(&m);
  return arg;
}
static void *two(void *arg) {
  pthread_mutex_lock(&m);
  while (turn < 2) pthread_cond_wait(&c, &m);
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, one, 0);
  pthread_create(&b, 0, two, 0);
  pthread_mutex_lock(&m);
  turn = 1;
pthread_cond_signal(&c);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);  //~ violated
  pthread_join(b, 0);
  return 0;
}
