// expect: unsafe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int x;
void *first(void *arg) {
  x = __VERIFIER_nondet_int();
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  if (x * 3 == 123456) reach_error();  //~ violated
  return 0;
}
