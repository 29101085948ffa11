// The flag of the other file, which forgets.
// expect: unsafe
// options: --property unreach-call
void reach_error(void);
int main(void) {
  int a[3000], b[3000], same = 1;
  for (int i = 0; i < 3000; i++) {
    if (a[i] != b[i]) same = same;
  }
  if (same) {
    for (int i = 0; i < 3000; i++) {
      if (a[i] != b[i]) reach_error(); //~ violated
    }
  }
  return 0;
}
