// expect: safe
// options: --property deadlock
/* Four threads meet in pairs: whoever was let go is let go, also when the next pair has met before it wakes. */
#include <pthread.h>
static pthread_barrier_t meet;
static void *come(void *arg) {
  pthread_barrier_wait(&meet);
  return arg;
}
int main(void) {
  pthread_t t[4];
pthread_barrier_init(&meet, 0, 2);
  for (int i = 0; i < 4; i++) pthread_create(&t[i], 0, come, 0);
  for (int i = 0; i < 4; i++) pthread_join(t[i], 0);
  return 0;
}
