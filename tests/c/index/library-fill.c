// expect: unsafe
// says: an access may go beyond the 4 bytes of `x.tag`
#include <string.h>
struct s { char tag[4]; int n[3]; };
int main(void) {
  struct s x;
  int m[2][3];
  memset(m[0], 0, sizeof m);
  memset(x.n, 0, sizeof x.n);
  memset(x.tag, 1, sizeof x.tag);
  memset(x.tag + 1, 1, 3);
  memset(x.tag + 1, 1, 4);  //~ violated
  return x.n[0] + m[0][0];
}
