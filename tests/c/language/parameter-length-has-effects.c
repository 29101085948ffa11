// expect: safe
// options: --property assert
// models: lp64 ilp32
extern void reach_error(void);

int next(int i, int a[i++]) { return i; }
int main(void) {
  int a[10];
  if (next(10, a) != 11) reach_error();
}
