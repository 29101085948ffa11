// expect: safe
// options: --property assert
#include <assert.h>
#include <threads.h>
static mtx_t m;
static cnd_t c;
static int filled, value;
static int reader(void *arg) {
  mtx_lock(&m);
while (!filled) cnd_wait(&c, &m);
  assert(value == 3);
  mtx_unlock(&m);
  return 8;
}
int main(void) {
  thrd_t t;
  int result = 0;
  mtx_init(&m, mtx_plain);
  cnd_init(&c);
  thrd_create(&t, reader, 0);
  mtx_lock(&m);
  value = 3;
  filled = 1;
  cnd_signal(&c);
  mtx_unlock(&m);
  thrd_join(t, &result);
  assert(result == 8);
  mtx_destroy(&m);
  cnd_destroy(&c);
  return 0;
}
