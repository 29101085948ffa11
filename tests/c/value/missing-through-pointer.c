// expect: unsafe
int f(int x) {
  if (x) return 1;
  return;  //~ violated
}
int main(void) {
  int (*p)(int) = f;
  p(0);
  return p(0);
}
