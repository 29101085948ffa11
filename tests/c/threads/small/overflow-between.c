// expect: safe
// options: --property no-overflow
/* Between the test and the addition another thread may add. */
#include <limits.h>
#include <pthread.h>
static _Atomic int n = INT_MAX - 1;
static void *add(void *arg) {
int now = n;
if (now < INT_MAX) now = now + 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, add, 0);
  pthread_create(&b, 0, add, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
