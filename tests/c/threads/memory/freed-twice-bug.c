// expect: unsafe
// options: --property valid-memsafety
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *p;
static void drop(void) {
  int *mine;
  pthread_mutex_lock(&m);
  mine = p;
  pthread_mutex_unlock(&m);
  free(mine);  //~ violated
p = 0;
}
static void *work(void *arg) {
  drop();
  return arg;
}
int main(void) {
  pthread_t a;
  p = malloc(4);
  pthread_create(&a, 0, work, 0);
  drop();
  pthread_join(a, 0);
  return 0;
}
