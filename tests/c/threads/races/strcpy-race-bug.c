// expect: unsafe
// options: --property race
#include <pthread.h>
#include <string.h>
static char buffer[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
  strcpy(buffer, "abc");  //~ violated
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_mutex_lock(&m);
  unsigned long n = strlen(buffer);  //~ violated
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return n > 3;
}
