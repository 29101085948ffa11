// What is not modelled, and the only place of the error, stand in functions that nothing calls.
// expect: safe
// options: --property unreach-call
// says-bmc: leaves no check to be violated
void reach_error(void);
int __VERIFIER_nondet_int(void);
int strange(int *p) {
  int y;
  __asm__("nop" : "=r"(y));
  return y + *p;
}
void unused(int n) {
  if (n > 3) reach_error();
}
static int small(int n) { return n & 1; }
int main(void) {
  int (*f)(int) = small;
  while (__VERIFIER_nondet_int()) f(2);
  return 0;
}
