// expect: safe
// options: --property assert
/* Each thread has an array of its own, which begins as it is written. */
#include <assert.h>
#include <pthread.h>
static _Thread_local int own[3] = {1, 2, 3};
static void *work(void *arg) {
  for (int i = 0; i < 3; i++)
    own[i] *= 2;
  assert(own[0] + own[1] + own[2] == 12);
  return arg;
}
int main(void) {
  pthread_t a, b;
  own[1] = 7;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(own[0] == 1 && own[1] == 7 && own[2] == 3);
  return 0;
}
