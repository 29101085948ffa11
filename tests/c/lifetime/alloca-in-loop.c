// expect: safe
// models: lp64 ilp32
extern void reach_error(void);
void *__builtin_alloca(unsigned long);
int sum(int n) {
  int *last = 0, *p[3];
  for (int i = 0; i < n; i++) {
    p[i] = __builtin_alloca(sizeof(int));
    *p[i] = i;
    if (p[i] == last) reach_error();
    last = p[i];
  }
  return *p[0] + *p[1] + *p[2];
}
int main(void) {
  if (sum(3) != 3) reach_error();
}
