// expect: unsafe
// options: --property assert
/* The variable of this thread is not that of the other. */
#include <assert.h>
#include <pthread.h>
static _Thread_local int own = 5;
static void *work(void *arg) {
  int *lent = arg;
  own = 6;
  assert(*lent == 6);  //~ violated
  return 0;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, &own);
  pthread_join(a, 0);
  assert(own == 6);
  return 0;
}
