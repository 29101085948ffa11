// expect: safe
// options: --property assert
#include <assert.h>
#include <threads.h>
static once_flag once = ONCE_FLAG_INIT;
static mtx_t m;
static int n, inside;
static void fill(void) {
  n++;
  mtx_init(&m, mtx_plain);
}
static int work(void *arg) {
  call_once(&once, fill);
if (mtx_trylock(&m) == thrd_success) {
    inside++;
    assert(inside == 1);
    inside--;
    mtx_unlock(&m);
  }
  return 0;
}
int main(void) {
  thrd_t a, b;
  thrd_create(&a, work, 0);
  thrd_create(&b, work, 0);
  thrd_join(a, 0);
  thrd_join(b, 0);
  assert(n == 1);
  return 0;
}
