// expect: unsafe
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
static _Atomic int stage;
static void last(void) {
  assert(stage != 1);  //~ violated
}
static void *work(void *arg) {
stage = 1;
  stage = 2;
  return arg;
}
int main(void) {
  pthread_t a;
  atexit(last);
  pthread_create(&a, 0, work, 0);
  exit(0);
}
