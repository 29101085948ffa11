// expect: unsafe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { long words[4]; } pthread_barrier_t;
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
pthread_barrier_t b;
int x;
void *first(void *arg) {
  pthread_barrier_wait(&b);
  x = 1;  //~ violated
  return 0;
}
void *second(void *arg) {
  pthread_barrier_wait(&b);
  x = 2;  //~ violated
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&b, 0, 2);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
