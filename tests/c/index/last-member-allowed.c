// expect: safe
// options: --flexible-last-member
void *malloc(unsigned long);
void free(void *);
struct s { int n; int a[1]; };
int main(void) {
  struct s *p = malloc(sizeof *p + 3 * sizeof(int));
  p->a[2] = 1;
  free(p);
}
