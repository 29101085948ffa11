// expect: unsafe
// options: --property no-data-race
/* volatile is not atomic. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
volatile int ready;
int x;
void *first(void *arg) {
  x = 42;
  ready = 1;  //~ violated
  return 0;
}
void *second(void *arg) {
  if (ready)  //~ violated
    x = 43;
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
