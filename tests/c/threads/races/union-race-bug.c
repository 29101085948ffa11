// expect: unsafe
// options: --property race
#include <pthread.h>
static union { int i; char c[4]; } u;
static void *work(void *arg) {
  u.c[3] = 1;  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
u.i = 2;  //~ violated
  pthread_join(a, 0);
  return 0;
}
