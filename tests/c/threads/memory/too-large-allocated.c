// expect: unknown(unsupported)
// options: --property assert
/* More memory than the interpreter gives a program. */
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static int n;
static void *work(void *arg) {
  char *large = malloc(2000000000);
  n++;
  assert(n == 0);
  free(large);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  return 0;
}
