// expect: unsafe
int main(void) {
  int m[3][4] = {0};
  return m[1][4];  //~ violated
}
