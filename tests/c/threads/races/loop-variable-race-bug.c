// expect: unsafe
// options: --property race
#include <pthread.h>
static int seen[2];
static void *work(void *arg) {
  int me = *(int *)arg;  //~ violated
  if (me < 2) __atomic_store_n(&seen[me], 1, __ATOMIC_SEQ_CST);
  return 0;
}
int main(void) {
  pthread_t t[2];
  int number[2];
  int i;
  for (i = 0; i < 2; i++) {  //~ violated
    number[i] = i;
  pthread_create(&t[i], 0, work, &i);
  }
  for (int k = 0; k < 2; k++) pthread_join(t[k], 0);
  return 0;
}
