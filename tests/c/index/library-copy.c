// expect: unsafe
// says: `strcpy`: an access may go beyond the 8 bytes of `u.name`
// models: lp64 ilp32
// The text and its end fit `u`, but not the array that was named.
#include <string.h>
struct user { char name[8]; int is_admin; } u;
int main(void) {
  strcpy(u.name, "12345678");  //~ violated
  return u.is_admin;
}
