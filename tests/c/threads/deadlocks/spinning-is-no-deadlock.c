// expect: safe
// options: --property deadlock
/* It never ends, but it moves. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x;
void *first(void *arg) {
  while (!x) {
  }
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  return 0;
}
