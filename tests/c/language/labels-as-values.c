// expect: safe
// models: lp64 ilp32
extern void reach_error(void);

int run(const char *code) {
  static void *table[] = {&&add, &&twice, &&halt};
  int n = 0;
  goto *table[*code++ - '0'];
add:
  n++;
  goto *table[*code++ - '0'];
twice:
  n *= 2;
  goto *table[*code++ - '0'];
halt:
  return n;
}
int main(void) {
  if (run("00112") != 8) reach_error();
}
