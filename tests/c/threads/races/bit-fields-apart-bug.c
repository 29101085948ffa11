// expect: unsafe
// options: --property race
/* A bit-field of width 0 begins a new memory location. */
#include <pthread.h>
static struct { unsigned a : 4; unsigned : 8; unsigned b : 4; } x;
static void *work(void *arg) {
  x.a = 1;  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  x.b = 2;  //~ violated
  pthread_join(a, 0);
  return 0;
}
