// expect: unsafe
// options: --property assert
// Which element is written, and so which thread sees it, depends on a value that is any.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
unsigned __VERIFIER_nondet_uint(void);
int a[4];
void *first(void *arg) {
  unsigned at = __VERIFIER_nondet_uint() * 3 % 4;
  a[at] = 1;
  a[at] = 0;
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  if (a[3]) reach_error();  //~ violated
  pthread_join(one, 0);
  return 0;
}
