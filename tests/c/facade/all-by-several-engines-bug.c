// expect: unsafe
// options: --all
// says: of which 2 violated
// says: 0 unknown
// Where all checks are asked about, no engine ends the race as long as another may find out more: unrolling and
// runs come to the two violations, and only an invariant shows that the assertion holds however long the loop is.
void __VERIFIER_error(void);
extern int __VERIFIER_nondet_int(void);

int a[4];

int main(void) {
  int i = __VERIFIER_nondet_int();
  if (i > 3) {
    a[i] = 1; //~ violated
    return 1;
  }
  unsigned n = 0, twice = 0;
  while (__VERIFIER_nondet_int()) {
    if (n == 400) {
      a[n] = 1; //~ violated
    }
    n++;
    twice += 2;
    if (twice != 2 * n) {
      __VERIFIER_error();
    }
  }
  return 0;
}
