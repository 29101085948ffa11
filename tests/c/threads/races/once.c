// expect: safe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_once(int *, void (*)(void));
int o;
int x;
void set(void) {
  x = 5;
}
void *first(void *arg) {
  pthread_once(&o, set);
  arg = x ? arg : 0;
  return 0;
}
void *second(void *arg) {
  pthread_once(&o, set);
  arg = x ? arg : 0;
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
