// expect: unsafe
// says: `fgets`: an access may go beyond the 8 bytes of `lines[i]`
#include <stdio.h>
int main(void) {
  char lines[4][8];
  for (int i = 0; i < 3; i++)
    if (!fgets(lines[i], 9, stdin)) break;  //~ violated
  return 0;
}
