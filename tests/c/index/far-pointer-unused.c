// expect: safe
// options: --property valid-memsafety
// models: lp64 ilp32
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int a[10] = {0};
  int i = __VERIFIER_nondet_int(), *p = a + i;
  if (i >= 0 && i < 10) return *p;
  return 0;
}
