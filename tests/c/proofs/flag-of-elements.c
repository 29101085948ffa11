// A flag remembers whether some element differed: as long as it stands, all elements seen are equal.
// expect: safe
// options: --property unreach-call
void reach_error(void);
int main(void) {
  int a[3000], b[3000], same = 1;
  for (int i = 0; i < 3000; i++) {
    if (a[i] != b[i]) same = 0;
  }
  if (same) {
    for (int i = 0; i < 3000; i++) {
      if (a[i] != b[i]) reach_error();
    }
  }
  return 0;
}
