// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
typedef struct { int words[8]; } pthread_barrier_t;
int pthread_barrier_init(pthread_barrier_t *, const void *, unsigned);
int pthread_barrier_wait(pthread_barrier_t *);
pthread_barrier_t barrier;
int a, b;
void *first(void *arg) {
  a = 1;
  pthread_barrier_wait(&barrier);
  if (!b) reach_error();
  return 0;
}
void *second(void *arg) {
  b = 1;
  pthread_barrier_wait(&barrier);
  if (!a) reach_error();
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_barrier_init(&barrier, 0, 2);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
