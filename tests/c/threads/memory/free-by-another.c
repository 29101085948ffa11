// expect: safe
// options: --property valid-memsafety
#include <pthread.h>
#include <stdlib.h>
static int *p;
static void *reader(void *arg) {
  *p = 2;
  return arg;
}
int main(void) {
  pthread_t a;
  p = malloc(sizeof *p);
  if (!p) return 0;
  pthread_create(&a, 0, reader, 0);
  pthread_join(a, 0);
free(p);
  return 0;
}
