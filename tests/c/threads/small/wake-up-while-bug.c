// expect: unsafe
// options: --property assert
/* Who was woken must look again: a third thread may have taken it. */
#include <assert.h>
#include <pthread.h>
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t c = PTHREAD_COND_INITIALIZER;
static int n;
static void *take(void *arg) {
  pthread_mutex_lock(&m);
if (n == 0) pthread_cond_wait(&c, &m);
  n--;
  assert(n >= 0);  //~ violated
  pthread_mutex_unlock(&m);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, take, 0);
  pthread_create(&b, 0, take, 0);
  for (int i = 0; i < 2; i++) {
    pthread_mutex_lock(&m);
    n++;
    pthread_cond_signal(&c);
    pthread_mutex_unlock(&m);
  }
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
