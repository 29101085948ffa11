// expect: unsafe
int main(void) {
  int n = 2, m = 3, a[n][m];
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = 0;
  return a[n][0];  //~ violated
}
