// expect: unsafe
// options: --property assert
extern void reach_error(void);

int take(int *p) { return (*p)++; }
int main(void) {
  int i = 0;
  if (take(&i) * 2 + take(&i) == 2) reach_error();  //~ violated
}
