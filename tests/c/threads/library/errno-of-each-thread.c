// expect: safe
// options: --property assert
/* errno is one of each thread. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
static void *work(void *arg) {
  errno = EINTR;
  return arg;
}
int main(void) {
  pthread_t a;
  errno = 0;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
assert(errno == 0);
  return 0;
}
