// expect: safe
// options: --property assert
/* A semaphore that is not got says why. */
#include <assert.h>
#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t s;
static void *post(void *arg) {
  sem_post(&s);
  return arg;
}
int main(void) {
  pthread_t a;
  sem_init(&s, 0, 0);
  pthread_create(&a, 0, post, 0);
  if (sem_trywait(&s) != 0)
  assert(errno == EAGAIN);
  pthread_join(a, 0);
  return 0;
}
