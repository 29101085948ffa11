// expect: unsafe
// says: an access may go beyond the 4 bytes of `m[0]`
#include <string.h>
int main(void) {
  char m[2][4];
  memset(m, 0, sizeof m);
  memset(m[1], 1, sizeof m[1]);
  memset(m[0], 1, sizeof m);  //~ violated
  return m[0][0];
}
