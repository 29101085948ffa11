// expect: unsafe
// options: --property valid-memsafety
// models: lp64 ilp32
void *malloc(unsigned long);
void free(void *);
int main(void) {
  int *p = malloc(4);
  unsigned long i = -1UL / 4 + 1;
  p[i] = 1;  //~ violated
  free(p);
}
