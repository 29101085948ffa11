// expect: unsafe
// says: `snprintf`: an access may go beyond the 4 bytes of `x.text`
#include <stdio.h>
struct s { char text[4]; char more[60]; } x;
int main(void) {
  snprintf(x.text, 64, "%d", 999);
  snprintf(x.more, sizeof x.more, "%d", 1000);
  snprintf(x.text, sizeof x.text, "%d", 1000);
  snprintf(x.text, 64, "%d", 1000);  //~ violated
  return x.more[0];
}
