// expect: safe
// options: --property assert
// models: lp64 ilp32
extern void reach_error(void);

int main(void) {
  int *p = 0, *q = 0, n = 0;
again:
  q = p;
  p = (int[]){n};
  if (++n < 3) goto again;
  if (p != q || *p != 2) reach_error();
}
