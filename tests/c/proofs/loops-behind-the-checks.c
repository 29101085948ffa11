// What comes after the last check is not unrolled, however long it takes.
// expect: safe
// options: --property assert
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
static unsigned mix(unsigned n) {
  unsigned sum = 0;
  while (n != 1) {
    sum += n;
    n = n % 2 ? 3 * n + 1 : n / 2;
  }
  return sum;
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  assert(n / 2 <= n);
  return mix(n) == 0;
}
