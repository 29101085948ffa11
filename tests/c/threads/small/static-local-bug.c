// expect: unsafe
// options: --property assert
/* A static variable of a function is one for all threads. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int next(void) {
  static int counter = 10;
  int now;
  now = counter;
  counter = now + 1;
  return now;
}
static int first, second;
static void *work(void *arg) {
  *(int *)arg = next();
  return 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, &first);
  pthread_create(&b, 0, work, &second);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(first != second);  //~ violated
  return 0;
}
