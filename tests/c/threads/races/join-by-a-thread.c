// expect: safe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x;
pthread_t inner;
void *second(void *arg) {
  x = 2;
  return 0;
}
void *first(void *arg) {
  pthread_create(&inner, 0, second, 0);
  pthread_join(inner, 0);
  x++;
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  return x;
}
