// expect: safe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x;
void *first(void *arg) {
  x = 1;
  return 0;
}
int main(void) {
  pthread_t one;
  x = 7;
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  x++;
  return x;
}
