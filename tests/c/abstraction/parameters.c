// A function that changes its parameters: what it returns is about the values it was called with.
// expect: safe
// options: --property unreach-call
int __VERIFIER_nondet_int(void);
void reach_error(void);
int add(int m, int n) {
  if (n <= 0) return m;
  n--;
  m++;
  return add(m, n);
}
int main(void) {
  int m = __VERIFIER_nondet_int() & 3, n = __VERIFIER_nondet_int() & 3;
  if (add(m, n) != m + n) reach_error();
  return 0;
}
