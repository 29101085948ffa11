// expect: unknown(unsupported)
// options: --property assert
/* More memory than the interpreter gives a program: nothing is searched, and nothing is proved. */
#include <assert.h>
#include <pthread.h>
static char large[2000000000];
static void *work(void *arg) {
  large[0] = 1;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  assert(large[0] == 2);
  return 0;
}
