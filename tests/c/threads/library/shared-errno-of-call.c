// expect: safe
// options: --property assert
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  errno = 0;
  long n = strtol("99999999999999999999", 0, 10);
assert(errno == ERANGE);
  return n ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
