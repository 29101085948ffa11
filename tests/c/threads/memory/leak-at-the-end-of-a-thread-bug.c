// expect: unsafe
// options: --property valid-memsafety
#include <pthread.h>
#include <stdlib.h>
static void *work(void *arg) {
  char *buffer = malloc(8);  //~ violated
  if (!buffer) return arg;
  buffer[0] = 1;
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, 0);
  return 0;  //~ violated
}
