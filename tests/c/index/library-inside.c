// expect: safe
// models: lp64 ilp32
// What fits; whole objects; two members at once; what a pointer says that is no array of its own.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct user { char name[8]; int id; char tag[4]; };
static void fill(char *to, size_t n) { memset(to, 0, n); }
int main(void) {
  struct user u, v, all[2];
  memset(&u, 0, sizeof u);
  fill(u.name, sizeof u);
  strcpy(u.name, "1234567");
  strncpy(u.tag, u.name, sizeof u.tag);
  memcpy(v.name, u.name, sizeof u.name);
  memcpy(&v, &u, sizeof u);
  memmove(v.name + 1, v.name, 7);
  snprintf(v.name, 64, "%d", 42);
  sprintf(v.name, "%d", 1234567);
  strcat(strcpy(v.name, "ab"), "cd");
  struct user *p = malloc(sizeof *p + 8);
  if (!p) return 0;
  memcpy(p, &u, sizeof u);
  strcpy((char *)(p + 1), "1234567");
  int differs = strcmp(p->name, u.name) || strncmp(p->tag, u.tag, 4) || memcmp(p->name, u.name, 8);
  free(p);
  for (int i = 0; i < 2; i++)
    if (!fgets(all[i].name, sizeof all[i].name, stdin)) all[i].name[0] = 0;
  return differs + (int)strlen(all[1].name);
}
