// expect: safe
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <unistd.h>
#include <time.h>
static _Atomic int done;
static void *work(void *arg) {
  struct timespec t = { 0, 1000 };
  usleep(10);
  sched_yield();
  nanosleep(&t, 0);
  printf("thread %lu\n", (unsigned long)pthread_self());
  done = 1;
  return arg;
}
int main(void) {
  pthread_t a;
  if (pthread_create(&a, NULL, work, NULL) != 0) { perror("pthread_create"); return 1; }
  sleep(1);
pthread_join(a, NULL);
  assert(done == 1);
  return 0;
}
