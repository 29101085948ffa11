// expect: safe
// options: --property assert
// models: lp64 ilp32
extern void reach_error(void);

#define KIND(x) _Generic((x), char: 1, signed char: 2, unsigned char: 3, default: 4)
int main(void) {
  char c = 0;
  signed char s = 0;
  unsigned char u = 0;
  if (KIND(c) != 1 || KIND(s) != 2 || KIND(u) != 3 || KIND('a') != 4) reach_error();
  if (__builtin_types_compatible_p(char, signed char)) reach_error();
  int one = 1, two = 2;
  _Generic(c, char: one, default: two) = 5;
  if (one != 5) reach_error();
}
