// expect: safe
// options: --property assert
/* Where `main` returns all threads end, where it calls `pthread_exit` they do not. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int x;
static void *work(void *arg) {
  x = 1;
exit(0);
  x = 2;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  assert(x != 2);
  return 0;
}
