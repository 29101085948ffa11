// expect: unsafe
// says: `strcat`: an access may go beyond the 8 bytes of `p->name`
// The function of the library hands the pointer on to another one.
#include <stdlib.h>
#include <string.h>
struct user { int id; char name[8]; char rest[8]; };
int main(void) {
  struct user *p = calloc(1, sizeof *p);
  strcpy(p->name, "abcd");
  strcat(p->name, "efg");
  strcat(p->name, "h");  //~ violated
  free(p);
  return 0;
}
