// expect: safe
// options: --property no-data-race
#include <pthread.h>
static _Thread_local int own[2];
static void *work(void *arg) {
  own[0]++;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  own[0]++;
  pthread_join(a, 0);
  return own[0];
}
