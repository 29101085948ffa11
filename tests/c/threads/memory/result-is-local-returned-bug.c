// expect: unsafe
// options: --property valid-memsafety
#include <pthread.h>
static void *work(void *arg) {
int result;
  result = 4;
  void *it = &result;
  return it;
}
int main(void) {
  pthread_t a;
  void *where;
  pthread_create(&a, 0, work, 0);
  pthread_join(a, &where);
  return *(int *)where != 4;  //~ violated
}
