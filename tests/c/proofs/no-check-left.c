// The error cannot be called, by constants alone; whether the loop ends is another question.
// expect: safe
// options: --property unreach-call
// says-bmc: leaves no check to be violated
void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
static int is_strict = 0;
static void step(unsigned n) {
  if (is_strict && n > 100) reach_error();
}
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  while (n != 1) {
    step(n);
    n = n % 2 ? 3 * n + 1 : n / 2;
  }
  return 0;
}
