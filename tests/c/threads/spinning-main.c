// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int done, x;
void *first(void *arg) {
  x = 7;
  done = 1;
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  while (!done) {}
  if (x != 7) reach_error();
  return 0;
}
