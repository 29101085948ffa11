// expect: safe
// options: --property valid-memsafety
#include <pthread.h>
static void *work(void *arg) {
static int result;
  int **where = arg;
  result = 4;
  *where = &result;
  return 0;
}
int main(void) {
  pthread_t a;
  int *where;
  pthread_create(&a, 0, work, &where);
  pthread_join(a, 0);
  return *where != 4;
}
