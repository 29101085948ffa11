// expect: unsafe
// options: --property assert
/* Each phase reads what the other wrote in the one before. */
#include <assert.h>
#include <pthread.h>
static pthread_barrier_t meet;
static int left[2], right[2];
static void *other(void *arg) {
  for (int i = 0; i < 2; i++) {
    left[i] = i + 1;
    pthread_barrier_wait(&meet);
    assert(right[i] == i + 1);  //~ violated
  }
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_barrier_init(&meet, 0, 2);
  pthread_create(&a, 0, other, 0);
  for (int i = 0; i < 2; i++) {
    pthread_barrier_wait(&meet);
  right[i] = i + 1;
    assert(left[i] == i + 1);
  }
  pthread_join(a, 0);
  return 0;
}
