// expect: unknown(unsupported)
// options: --property assert
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *arg) {
  x = 1;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(a, 0);
  assert(x == 1);
  return 0;
}
