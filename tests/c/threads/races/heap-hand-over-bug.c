// expect: unsafe
// options: --property race
/* What a thread fills in before it hands the pointer over, under a lock, is the other's afterwards. */
#include <pthread.h>
#include <stdlib.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static int *box;
static void *fill(void *arg) {
  int *it = malloc(sizeof *it);
  if (!it) return 0;
  *it = 1;
  pthread_mutex_lock(&m);
  box = it;
  pthread_mutex_unlock(&m);
*it = 2;  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  int *got;
  pthread_create(&a, 0, fill, 0);
  pthread_mutex_lock(&m);
  got = box;
  pthread_mutex_unlock(&m);
  if (got) *got = 3;  //~ violated
  pthread_join(a, 0);
  free(box);
  return 0;
}
