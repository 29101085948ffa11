// expect: safe
// options: --property race
/* A bit-field of width 0 begins a new memory location. */
#include <pthread.h>
static struct { unsigned a : 4; unsigned : 0; unsigned b : 4; } x;
static void *work(void *arg) {
  x.a = 1;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  x.b = 2;
  pthread_join(a, 0);
  return 0;
}
