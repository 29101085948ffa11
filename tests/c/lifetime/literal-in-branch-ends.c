// expect: unsafe
int main(int argc, char **argv) {
  int zero = 0, *p = &zero;
  if (argc > 1) p = (int[]){4};
  return *p;  //~ violated
}
