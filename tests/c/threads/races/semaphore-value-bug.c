// expect: unsafe
// options: --property no-data-race
/* The value of a semaphore orders nothing. */
#include <pthread.h>
#include <stdatomic.h>
#include <semaphore.h>
static sem_t s;
static int x;
static void *first(void *arg) {
  x = 42;
  sem_post(&s);
  return arg;
}
static void *second(void *arg) {
  int n;
  sem_getvalue(&s, &n);
  if (n)
    x = 43;  //~ violated
  return arg;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
