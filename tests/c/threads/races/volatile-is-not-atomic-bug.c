// expect: unsafe
// options: --property race
#include <pthread.h>
static volatile int stop;
static void *work(void *arg) {
  while (!stop) ;  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  stop = 1;  //~ violated
  pthread_join(a, 0);
  return 0;
}
