// expect: unsafe
// options: --property no-data-race
/* The values that are thrown away have been read all the same. */
#include <pthread.h>
#include <stdatomic.h>
static _Atomic unsigned sequence;
static int x;
static void *writer(void *arg) {
  sequence++;
  x = 1;  //~ violated
  sequence++;
  return arg;
}
static void *reader(void *arg) {
  unsigned before = sequence;
  int seen = x;  //~ violated
  return !(before & 1) && before == sequence && seen ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, writer, 0);
  pthread_create(&b, 0, reader, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
