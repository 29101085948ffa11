// expect: unsafe
// options: --property assert
#include <assert.h>
#include <pthread.h>
static _Atomic int ended;
static void *work(void *arg) {
  while (!ended) ;
  assert(ended == 2);  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
ended = 1;
  pthread_exit(0);
  return 0;
}
