// expect: safe
// options: --property race
// An exchange that fails has only read.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int x = 1;
void *first(void *arg) {
  __sync_bool_compare_and_swap(&x, 0, 2);
  return 0;
}
int main(void) {
  pthread_t one;
  int seen;
  pthread_create(&one, 0, first, 0);
  seen = x;
  pthread_join(one, 0);
  return seen;
}
