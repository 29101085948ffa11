// The same without room for the sum.
// expect: unsafe
// options: --property unreach-call,no-overflow
void reach_error(void);
int __VERIFIER_nondet_int(void);
static int shift(int to, int by) {
  if (by == 0) return to;
  if (by > 0) return shift(to + 1, by - 1); //~ violated
  return shift(to - 1, by + 1);
}
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
  if (a < 0 || b < 0 || b > 1000000000) return 0;
  if (shift(a, b) != a + b) reach_error();
  return 0;
}
