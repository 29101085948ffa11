// expect: unsafe
// options: --property no-overflow
// models: lp64 ilp32
int main(void) {
  int one = 1, n = 31;
  return one << n;  //~ violated
}
