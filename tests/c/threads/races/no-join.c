// expect: unsafe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x;
void *first(void *arg) {
  x = 1;  //~ violated
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  x++;  //~ violated
  pthread_join(one, 0);
  return x;
}
