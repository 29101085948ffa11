// expect: safe
struct s { int a[4], n; };
int get(int *p, int i) { return p[i]; }
int main(void) {
  struct s x = {0};
  return get(x.a, 4);
}
