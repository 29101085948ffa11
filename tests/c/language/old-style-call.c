// expect: safe
// options: --property assert
extern void reach_error(void);

int five() { return 5; }
int twice(n) int n; { return 2 * n; }
int main(void) {
  if (five(0) != 5 || twice(4) != 8) reach_error();
}
