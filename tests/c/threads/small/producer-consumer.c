// expect: safe
// options: --property assert
/* A ring of two for three numbers. */
#include <assert.h>
#include <pthread.h>
#include <semaphore.h>
static sem_t filled, empty;
static int ring[2];
static void *produce(void *arg) {
  for (int i = 0; i < 3; i++) {
    sem_wait(&empty);
    ring[i % 2] = i + 1;
    sem_post(&filled);
  }
  return arg;
}
int main(void) {
  pthread_t a;
  sem_init(&filled, 0, 0);
sem_init(&empty, 0, 2);
  pthread_create(&a, 0, produce, 0);
  for (int i = 0; i < 3; i++) {
    sem_wait(&filled);
    assert(ring[i % 2] == i + 1);
    sem_post(&empty);
  }
  pthread_join(a, 0);
  return 0;
}
