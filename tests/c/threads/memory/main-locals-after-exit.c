// expect: safe
// options: --property valid-memsafety
/* After `pthread_exit` the variables of `main` are gone. */
#include <pthread.h>
static int *p;
static void *work(void *arg) {
  *p = 1;
  return arg;
}
int main(void) {
static int x;
  pthread_t a;
  p = &x;
  pthread_create(&a, 0, work, 0);
  pthread_exit(0);
}
