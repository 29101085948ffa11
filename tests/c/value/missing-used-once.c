// expect: unsafe
int f(int x) {
  if (x) return 1;
}  //~ violated
int main(void) {
  f(0);
  return f(0);
}
