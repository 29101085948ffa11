// expect: unsafe
// options: --property assert
/* The pointer is published before what it leads to is filled in. */
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
struct config { int size; };
static _Atomic(struct config *) instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config space;
static struct config *get(void) {
  if (!instance) {
    pthread_mutex_lock(&m);
    if (!instance) {
      instance = &space;
    space.size = 7;
    }
    pthread_mutex_unlock(&m);
  }
  return instance;
}
static void *use(void *arg) {
  assert(get()->size == 7);  //~ violated
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, use, 0);
  pthread_create(&b, 0, use, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
