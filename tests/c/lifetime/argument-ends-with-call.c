// expect: unsafe
struct pair { int a, b; };
int *first(struct pair it) { return &it.a; }
int main(void) {
  struct pair it = {1, 2};
  return *first(it);  //~ violated
}
