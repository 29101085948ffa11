// expect: unsafe
// options: --property valid-memsafety
// models: lp64 ilp32
int main(void) {
  int *p;
  {
    p = (int[]){4};
  }
  return *p;  //~ violated
}
