// expect: safe
int f(int x) {
  if (x) return 1;
}
int main(void) {
  f(0);
  (void)f(0);
  for (f(0); f(1) > 1; f(0))
    ;
  return f(1) - 1;
}
