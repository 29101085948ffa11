// expect: unsafe
int m[3][4];
int main(void) {
  int i = 3, j = -1;
  return m[i][j];  //~ violated
}
