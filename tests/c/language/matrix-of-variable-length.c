// expect: safe
// models: lp64 ilp32
extern void reach_error(void);

int sum(int n, int m, int a[n][m]) {
  int s = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) s += a[i][j];
  if (sizeof(a[0]) != m * sizeof(int)) reach_error();
  return s;
}
int main(void) {
  int n = 2, m = 3, a[n][m], (*row)[m] = a;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < m; j++) a[i][j] = i * 10 + j;
  if (sum(n, m, a) != 36 || sizeof a != 6 * sizeof(int)) reach_error();
  row++;
  if ((*row)[2] != 12) reach_error();
}
