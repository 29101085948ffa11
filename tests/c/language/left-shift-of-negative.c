// expect: unsafe
// options: --property shift
int main(void) {
  int n = -1;
  return n << 2;  //~ violated
}
