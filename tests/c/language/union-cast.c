// expect: safe
// options: --property assert
extern void reach_error(void);

union number { int i; double d; };
int twice(union number it) { return it.i * 2; }
int main(void) {
  if (twice((union number)21) != 42) reach_error();
  union number it = (union number)0.5;
  if (it.d != 0.5) reach_error();
}
