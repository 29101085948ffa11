// expect: safe
// options: --property valid-memsafety
// SV-COMP asks about objects.
#include <string.h>
struct user { char name[8]; int is_admin; } u;
int main(void) {
  strcpy(u.name, "12345678");
  memset(u.name, 1, sizeof u);
  return u.is_admin;
}
