// expect: unsafe
int f(int x) {
  if (x) return 1;
}  //~ violated
int main(void) { return f(0); }
