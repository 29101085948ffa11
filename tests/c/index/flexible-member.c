// expect: safe
void *malloc(unsigned long);
void free(void *);
struct s { int n; int a[]; };
struct old { int n; int a[0]; };
int main(void) {
  struct s *p = malloc(sizeof *p + 3 * sizeof(int));
  struct old *q = malloc(sizeof *q + sizeof(int));
  p->a[2] = q->a[0] = 1;
  free(p);
  free(q);
}
