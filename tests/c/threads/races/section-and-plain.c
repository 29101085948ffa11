// expect: unsafe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int x;
void *first(void *arg) {
  __VERIFIER_atomic_begin();
  x++;  //~ violated
  __VERIFIER_atomic_end();
  return 0;
}
void *second(void *arg) {
  x = 4;  //~ violated
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
