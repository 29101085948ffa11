// expect: safe
extern void reach_error(void);

int main(void) {
  int *p = 0, *q = 0, n = 0;
  while (q = p, p = (int[]){n}, n < 3) {
    if (q && (p != q || *q != n)) reach_error();
    n++;
  }
}
