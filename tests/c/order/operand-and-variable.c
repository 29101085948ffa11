// expect: unsafe
// options: --property assert
extern void reach_error(void);

int n = 1;
int bump(void) {
  n = 5;
  return 1;
}
int main(void) {
  if (n + bump() == 6) reach_error();  //~ violated
}
