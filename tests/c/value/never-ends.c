// expect: safe
extern void abort(void);
int f(int x) {
  switch (x) {
    case 0: return 1;
    case 1: return 2;
  }
  abort();
}
int main(int argc, char **argv) { return f(argc & 1) - f(argc & 1); }
