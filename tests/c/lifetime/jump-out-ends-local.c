// expect: unsafe
// options: --property valid-memsafety
// models: lp64 ilp32
int main(void) {
  int n = 0, *p = 0;
again:
  if (n == 1)
    return *p;  //~ violated
  {
    int x = 3;
    p = &x;
    n = 1;
    goto again;
  }
}
