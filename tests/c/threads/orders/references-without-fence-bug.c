// expect: unsafe
// options: --property no-data-race
/* The last one does not acquire. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
static struct object { _Atomic int n; int data; } *shared;
static void put(void) {
  if (atomic_fetch_sub_explicit(&shared->n, 1, memory_order_release) == 1) {
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
