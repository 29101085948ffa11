// expect: safe
// options: --property assert
/* The thread may be ended before it comes to the assertion, or not. */
#include <assert.h>
#include <pthread.h>
static int x;
static void *work(void *arg) {
  assert(x == 0);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_detach(a);
  return 0;
}
