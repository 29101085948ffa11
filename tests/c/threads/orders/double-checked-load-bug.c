// expect: unsafe
// options: --property no-data-race
/* The first look does not acquire. */
#include <pthread.h>
#include <stdatomic.h>
struct config { int size; };
static _Atomic(struct config *) instance;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static struct config space;
static struct config *get(void) {
  struct config *it = atomic_load_explicit(&instance, memory_order_relaxed);
  if (!it) {
    pthread_mutex_lock(&m);
    it = atomic_load_explicit(&instance, memory_order_relaxed);
    if (!it) {
      space.size = 7;  //~ violated
      it = &space;
      atomic_store_explicit(&instance, it, memory_order_release);
    }
    pthread_mutex_unlock(&m);
  }
  return it;
}
static void *work(void *arg) {
  struct config *it = get();
  int size = it->size;  //~ violated
  return size == 7 ? arg : 0;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
