// expect: safe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int a, b, *_Atomic p = &a;
void *first(void *arg) {
  p = &b;
  return 0;
}
void *second(void *arg) {
  p = &a;
  int *q = p;
  arg = q;
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
