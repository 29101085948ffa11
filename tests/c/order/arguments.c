// expect: unsafe
// options: --property assert
extern void reach_error(void);

int x;
int f(void) { return x = 1; }
int g(void) { return x = 2; }
int h(int a, int b) { return x; }
int main(void) {
  if (h(f(), g()) == 1) reach_error();  //~ violated
}
