// expect: unsafe
// says: `strlen`: an access may go beyond the 4 bytes of `x.tag`
// A text without an end inside its array.
#include <string.h>
struct s { char tag[4]; char zero; };
int main(void) {
  struct s x = {{'a', 'b', 'c', 'd'}, 0};
  return strlen(x.tag) == 4;  //~ violated
}
