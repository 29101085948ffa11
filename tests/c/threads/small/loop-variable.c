// expect: safe
// options: --property assert
/* All threads get the address of the same variable, which goes on counting. */
#include <assert.h>
#include <pthread.h>
static int seen[2];
static void *work(void *arg) {
  int me = *(int *)arg;
  if (me < 2) seen[me] = 1;
  return 0;
}
int main(void) {
  pthread_t t[2];
  int number[2];
  int i;
  for (i = 0; i < 2; i++) {
    number[i] = i;
  pthread_create(&t[i], 0, work, &number[i]);
  }
  for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
  assert(seen[0] && seen[1]);
  return 0;
}
