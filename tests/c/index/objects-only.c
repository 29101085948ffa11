// expect: safe
// options: --property valid-memsafety
struct s { int a[4], n; };
int main(void) {
  struct s x = {0};
  int m[3][4] = {0}, *p = x.a;
  x.a[4] = 1;
  return m[1][4] + p[4];
}
