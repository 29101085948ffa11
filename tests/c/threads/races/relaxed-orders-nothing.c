// expect: unsafe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int ready, x;
void *first(void *arg) {
  x = 42;
  __atomic_store_n(&ready, 1, __ATOMIC_RELAXED);
  return 0;
}
void *second(void *arg) {
  if (__atomic_load_n(&ready, __ATOMIC_RELAXED))
    x = 43;  //~ violated
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
