// expect: safe
// options: --property assert
/* A thread starts another, and waits for it, or not. */
#include <assert.h>
#include <pthread.h>
static int n;
static void *inner(void *arg) {
  n++;
  return arg;
}
static void *outer(void *arg) {
  pthread_t a;
  n++;
  pthread_create(&a, 0, inner, 0);
pthread_join(a, 0);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, outer, 0);
  pthread_join(a, 0);
  assert(n == 2);
  return 0;
}
