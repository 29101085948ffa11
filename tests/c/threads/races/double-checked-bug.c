// expect: unsafe
// options: --property race
/* Double-checked locking needs an atomic pointer. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
struct config { int size; };
static struct config *instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config space;
static struct config *get(void) {
  struct config *it = instance;  //~ violated
  if (!it) {
    pthread_mutex_lock(&m);
    it = instance;
    if (!it) {
      space.size = 7;
      it = &space;
      instance = it;  //~ violated
    }
    pthread_mutex_unlock(&m);
  }
  return it;
}
static void *use(void *arg) {
  return get()->size == 7 ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
