// expect: safe
// options: --property race
#include <pthread.h>
static _Atomic int stop;
static void *work(void *arg) {
  while (!stop) ;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  stop = 1;
  pthread_join(a, 0);
  return 0;
}
