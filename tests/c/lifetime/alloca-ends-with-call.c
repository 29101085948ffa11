// expect: unsafe
int *give(int n) {
  int *p = 0;
  for (int i = 0; i < n; i++) {
    p = __builtin_alloca(sizeof(int));
    *p = i;
  }
  return p;
}
int main(void) {
  return *give(2);  //~ violated
}
