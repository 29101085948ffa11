// expect: unsafe
// options: --property no-data-race
/* Giving up a reference does not release what was done. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static struct object { _Atomic int n; int data; } *shared;
static void put(void) {
  if (atomic_fetch_sub_explicit(&shared->n, 1, memory_order_relaxed) == 1) {
    atomic_thread_fence(memory_order_acquire);
    free(shared);  //~ violated
  }
}
static void *work(void *arg) {
  int data = shared->data;  //~ violated
  put();
  return data ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  shared = malloc(sizeof *shared);
  shared->n = 2;
  shared->data = 1;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
