// expect: unsafe
// options: --property no-data-race
#include <pthread.h>
static _Thread_local int own[2];
static void *work(void *arg) {
  ((int *)arg)[0]++;  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, own);
  own[0]++;  //~ violated
  pthread_join(a, 0);
  return own[0];
}
