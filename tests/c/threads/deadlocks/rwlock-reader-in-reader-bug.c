// expect: unsafe
// options: --property deadlock
/* glibc prefers readers: one that holds the lock may take it again although a writer waits. */
#include <pthread.h>
static pthread_rwlock_t l = PTHREAD_RWLOCK_INITIALIZER;
static int x;
static void *writer(void *arg) {
  pthread_rwlock_wrlock(&l);  //~ violated
  x++;
  pthread_rwlock_unlock(&l);
  return arg;
}
int main(void) {
  pthread_t a;
  pthread_create(&a, 0, writer, 0);
  pthread_rwlock_rdlock(&l);
pthread_rwlock_wrlock(&l);  //~ violated
  int now = x;
  pthread_rwlock_unlock(&l);
  pthread_rwlock_unlock(&l);
  pthread_join(a, 0);  //~ violated
  return now > 1;
}
