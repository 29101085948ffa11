// expect: unsafe
// options: --property bounds
struct s { char name[4]; char rest[4]; };
char last(struct s *p, int i) {
  return p->name[i];  //~ violated
}
int main(void) {
  struct s x = {"abc", "def"};
  return last(&x, 3) + last(&x, 5);
}
