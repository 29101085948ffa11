// expect: safe
// models: lp64 ilp32
int main(void) {
  int one = 1, n = 30;
  unsigned high = 1u << 31;
  return (one << n) - (int)(high >> 1);
}
