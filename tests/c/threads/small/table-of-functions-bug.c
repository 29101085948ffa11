// expect: unsafe
// options: --property assert
#include <assert.h>
#include <pthread.h>
static int x;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *add(void *arg) {
  pthread_mutex_lock(&m);
  x += 1;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *twice(void *arg) {
  x += 2;
  return arg;
}
static void *(*const work[])(void *) = { add, twice };
int main(void) {
  pthread_t t[2];
  for (int i = 0; i < 2; i++) pthread_create(&t[i], 0, work[i], 0);
  for (int i = 0; i < 2; i++) pthread_join(t[i], 0);
  assert(x == 3);  //~ violated
  return 0;
}
