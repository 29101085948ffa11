// expect: unsafe
// options: --property no-data-race
/* Bit-fields side by side are one place in memory. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
struct { unsigned b : 3, c : 3; } s;
void *first(void *arg) {
  s.b = 1;  //~ violated
  return 0;
}
void *second(void *arg) {
  s.c = 1;  //~ violated
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
