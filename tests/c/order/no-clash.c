// expect: safe
// options: --property assert
extern void reach_error(void);

int x, y;
int f(int a) { return x += a; }
int g(int a) { return y += a; }
int twice(const int *p) { return 2 * *p; }
int main(void) {
  int i = 3, j = 4;
  if (f(1) + g(2) != 3 || f(i++) != 4) reach_error();
  if (twice(&i) + twice(&j) != 16 || i-- + j++ != 8) reach_error();
  if (!(f(0) && g(0)) || (f(0), g(1)) != 3) reach_error();
}
