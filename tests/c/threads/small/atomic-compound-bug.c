// expect: unsafe
// options: --property assert
/* `x = x + 1` on an atomic variable is two steps, `x += 1` one. */
#include <assert.h>
#include <pthread.h>
static _Atomic int x;
static void *work(void *arg) {
x = x + 1;
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(x == 2);  //~ violated
  return 0;
}
