// expect: safe
// options: --property no-data-race
/* What was written before the flag comes before what is done after it was seen. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
_Atomic int ready;
int x;
void *first(void *arg) {
  x = 42;
  ready = 1;
  return 0;
}
void *second(void *arg) {
  if (ready)
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
