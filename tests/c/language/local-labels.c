// expect: safe
// options: --property assert
extern void reach_error(void);

#define SKIP do { __label__ out; goto out; n = 1; out:; } while (0)
int main(void) {
  int n = 0;
  SKIP;
  SKIP;
  if (n) reach_error();
}
