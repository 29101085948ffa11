// expect: safe
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static void *square(void *arg) {
  intptr_t n = (intptr_t)arg;
  return (void *)(n * n);
}
int main(void) {
  pthread_t t[3];
  intptr_t sum = 0;
  for (intptr_t i = 0; i < 3; i++) pthread_create(&t[i], 0, square, (void *)(i + 1));
  for (int i = 0; i < 3; i++) {
    void *result;
    pthread_join(t[i], &result);
    sum += (intptr_t)result;
  }
assert(sum == 14);
  return 0;
}
