// expect: unsafe
// options: --property assert
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
static atomic_uint bits;
static atomic_int firsts;
static void *set(void *arg) {
  unsigned before = atomic_fetch_or(&bits, 4u);
if (!(bits & 2u)) atomic_fetch_add(&firsts, 1);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, set, 0);
  pthread_create(&b, 0, set, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  assert(firsts == 1);  //~ violated
  assert(atomic_exchange(&bits, 1u) == 4u && atomic_fetch_sub(&bits, 1u) == 1u && atomic_fetch_xor(&bits, 3u) == 0u && atomic_fetch_and(&bits, 1u) == 3u && bits == 1u);
  return 0;
}
