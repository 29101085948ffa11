// expect: safe
// options: --property valid-memsafety
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  char *buffer = malloc(8);
  if (!buffer) return arg;
  buffer[0] = 1;
free(buffer);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  return 0;
}
