// expect: safe
// options: --property valid-memsafety
/* The function that started the thread has returned, and its variable is gone. */
#include <pthread.h>
static pthread_t start(void *(*work)(void *)) {
static int number;
  pthread_t t;
  number = 3;
  pthread_create(&t, 0, work, &number);
  return t;
}
static void *work(void *arg) {
  int *number = arg;
  return *number == 3 ? arg : 0;
}
int main(void) {
  pthread_t t = start(work);
  pthread_join(t, 0);
  return 0;
}
