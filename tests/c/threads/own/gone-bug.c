// expect: unsafe
// options: --property valid-memsafety
/* What a thread has to itself ends with it. */
#include <pthread.h>
static _Thread_local int own[2];
static void *work(void *arg) {
  own[1] = 4;
  return own;
}
int main(void) {
  pthread_t a;
  void *left;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, &left);
  return ((int *)left)[1];  //~ violated
}
