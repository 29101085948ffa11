// Sums wrap around, but their low bits stay: twelve of them are those of the first value.
// expect: safe
// options: --property assert
#include <assert.h>
unsigned __VERIFIER_nondet_uint(void);
int main(void) {
  unsigned x = 5, y = 0;
  for (;;) {
    x += 4096 * __VERIFIER_nondet_uint();
    y += 8192 * __VERIFIER_nondet_uint();
    assert(2 * x + y != 4106);
  }
}
