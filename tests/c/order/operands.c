// expect: unsafe
// options: --property assert
extern void reach_error(void);

int n;
int next(void) { return ++n; }
int main(void) {
  if (next() - next() == 1) reach_error();  //~ violated
}
