// expect: safe
int main(void) {
  int n = 0, *p;
  goto inside;
  {
    int x[3];
  inside:
    x[1] = n;
    p = &x[1];
    if (n++ < 2)
      goto inside;
    return *p - 2;
  }
}
