// expect: unsafe
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_flag taken = ATOMIC_FLAG_INIT;
static int inside;
static void *work(void *arg) {
if (atomic_flag_test_and_set(&taken)) atomic_flag_test_and_set(&taken);
  inside++;
  assert(inside == 1);  //~ violated
  inside--;
  atomic_flag_clear(&taken);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
