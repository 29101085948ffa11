// expect: safe
// options: --property assert
/* Another thread is told where the variable of this one is. */
#include <assert.h>
#include <pthread.h>
static _Thread_local int own = 5;
static void *work(void *arg) {
  int *lent = arg;
  assert(lent != &own && own == 5);
  *lent = 6;
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, &own);
  pthread_join(a, 0);
  assert(own == 6);
  return 0;
}
