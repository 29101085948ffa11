// expect: unsafe
// options: --property assert
extern void reach_error(void);

int n = 1;
int bump(void) {
  n = 5;
  return 1;
}
int main(void) {
  n += bump();
  if (n == 2) reach_error();  //~ violated
}
