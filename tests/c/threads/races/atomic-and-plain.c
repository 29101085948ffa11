// expect: unsafe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x;
void *first(void *arg) {
  __atomic_fetch_add(&x, 1, 5);  //~ violated
  return 0;
}
void *second(void *arg) {
  x = 3;  //~ violated
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
