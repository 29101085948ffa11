// expect: safe
// options: --flexible-last-member
// The old way to have a member of any length.
#include <stdlib.h>
#include <string.h>
struct packet { int n; char data[1]; };
int main(void) {
  struct packet *p = malloc(sizeof *p + 8);
  if (!p) return 0;
  strcpy(p->data, "1234567");
  memset(p->data, 0, 8);
  free(p);
  return 0;
}
