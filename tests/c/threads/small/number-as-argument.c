// expect: safe
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <stdint.h>
static int cell[3];
static void *work(void *arg) {
  long me = (long)arg;
cell[me] = me;
  return (void *)(intptr_t)me;
}
int main(void) {
  pthread_t t[3];
  for (long i = 0; i < 3; i++) pthread_create(&t[i], 0, work, (void *)i);
  for (long i = 0; i < 3; i++) { void *r; pthread_join(t[i], &r); assert((long)r == i); }
  assert(cell[2] == 2);
  return 0;
}
