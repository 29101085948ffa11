// expect: safe
// options: --property valid-memsafety
// models: lp64 ilp32
// A local lives as long as its block: a jump back over the declaration makes no other object.
int main(void) {
  int n = 0, *p = 0;
again:;
  int x[2];
  if (n == 0) {
    p = &x[1];
    n = 1;
    goto again;
  }
  *p = 1;
  return 0;
}
