/* Arrays of variable length, alloca, statement expressions, compound literals, lives across jumps. */
int printf(const char *, ...);
struct S8 { int a, b; };
struct S8 r8(int x) { return (struct S8){x, -x}; }
static int vla(int n) { int a[n], b[n][n + 1], s = 0; for (int i = 0; i < n; i++) { a[i] = i; for (int j = 0; j <= n; j++) b[i][j] = i * j; } for (int i = 0; i < n; i++) s += a[i] + b[i][n]; return s + (int)sizeof a + (int)sizeof b + (int)sizeof b[0]; }
static int al(int n) { char *p[8]; int s = 0; for (int i = 0; i < n; i++) { p[i] = __builtin_alloca(i + 1); p[i][i] = i; } for (int i = 0; i < n; i++) s += p[i][i]; return s; }
static int se(int x) { int y = ({ int t = x; t *= 2; if (t > 10) t = 10; t; }) + ({ struct S8 s = r8(x); s; }).b; return y; }
static int order(void) { int a = 1; int b = a++ ? a : 7; int c = (a++, a); int d = a-- && a-- ; return a * 1000 + b * 100 + c * 10 + d; }

static int matrix(int n, int m, int a[n][m], int (*row)[m]) {
  int s = 0;
  for (int i = 0; i < n; i++) s += a[i][m - 1] * row[1][i];
  return s + (int)sizeof *row;
}
static int literals(void) {
  int *p = 0, n = 0, same = 0;
again:;
  int *q = p;
  p = (int[]){n, n + 1};
  same += p == q;
  if (n++ < 3) goto again;
  return same * 100 + p[0] * 10 + p[1];
}
static int kept(void) {
  int n = 0, *p = 0;
again:;
  int x;
  if (n == 0) {
    p = &x;
    n = 1;
    goto again;
  }
  *p = 4;
  return x;
}
int main(void) {
  int a[2][3] = {{1, 2, 3}, {4, 5, 6}};
  printf("%d %d %d %d %d\n", vla(5), al(8), se(3), se(9), order());
  printf("%d %d %d\n", matrix(2, 3, a, a), literals(), kept());
  int n = 2;
  int (*p)[n + 1] = a;
  n = 9;
  p++;
  printf("%d %d\n", (*p)[1], (int)sizeof *p);
  typedef int row[n];
  n = 1;
  printf("%d\n", (int)sizeof(row));
  return 0;
}
