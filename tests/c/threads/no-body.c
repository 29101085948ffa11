// expect: unknown(unsupported)
// options: --property assert
// says: has no body, and what it does between steps of other threads is not known
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
void keep(int *where);
int x;
void *look(void *arg) {
  if (x == 2) reach_error();
  return 0;
}
int main(void) {
  pthread_t one;
  keep(&x);
  x = 1;
  pthread_create(&one, 0, look, 0);
  pthread_join(one, 0);
  return 0;
}
