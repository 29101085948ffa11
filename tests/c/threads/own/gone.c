// expect: safe
// options: --property valid-memsafety
/* The thread is still there. */
#include <pthread.h>
static _Thread_local int own[2];
static int *where;
static pthread_barrier_t barrier;
static void *work(void *arg) {
  own[1] = 4;
  where = own;
  pthread_barrier_wait(&barrier);
  pthread_barrier_wait(&barrier);
  return arg;
}
int main(void) {
  pthread_t a;
  int seen;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&a, 0, work, 0);
  pthread_barrier_wait(&barrier);
  seen = where[1];
  pthread_barrier_wait(&barrier);
  pthread_join(a, 0);
  return seen == 4 ? 0 : 1;
}
