// expect: unsafe
// says: index 4 out of bounds 0..3 of `x.a`
// models: lp64 ilp32
struct s { int a[4], n; };
int main(void) {
  struct s x = {0};
  x.a[4] = 1;  //~ violated
  return x.n;
}
