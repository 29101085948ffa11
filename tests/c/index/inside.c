// expect: safe
// models: lp64 ilp32
struct s { int n; int a[4]; int m[2][3]; } x[2];
int main(void) {
  int *end = &x[0].a[4];
  for (int k = 0; k < 2; k++) {
    for (int i = 0; i < 4; i++) x[k].a[i] = i;
    for (int i = 0; i < 2; i++)
      for (int j = 0; j < 3; j++) *(x[k].m[i] + j) = x[k].a[j];
  }
  return end - x[0].a - x[1].m[1][2] - 2;
}
