// expect: safe
// options: --property assert
#include <assert.h>
#include <pthread.h>
static int n;
static void *work(void *arg) { n = 1; return arg; }
int main(void) {
  pthread_t a;
  pthread_attr_t attr;
  pthread_attr_init(&attr);
  pthread_attr_setdetachstate(&attr, PTHREAD_CREATE_JOINABLE);
  pthread_attr_setstacksize(&attr, 65536);
  pthread_create(&a, &attr, work, 0);
  pthread_attr_destroy(&attr);
pthread_join(a, 0);
  assert(n == 1);
  return 0;
}
