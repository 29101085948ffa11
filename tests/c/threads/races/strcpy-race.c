// expect: safe
// options: --property race
#include <pthread.h>
#include <string.h>
static char buffer[8];
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *arg) {
pthread_mutex_lock(&m);
  strcpy(buffer, "abc");
pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, work, 0);
  pthread_mutex_lock(&m);
  unsigned long n = strlen(buffer);
  pthread_mutex_unlock(&m);
  pthread_join(a, 0);
  return n > 3;
}
