// expect: unsafe
// options: --property no-data-race
/* It waits for the wrong thread. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x, y;
void *first(void *arg) {
  x = 1;  //~ violated
  return 0;
}
void *second(void *arg) {
  y = 1;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(two, 0);
  x++;  //~ violated
  pthread_join(one, 0);
  return x;
}
