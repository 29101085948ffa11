// expect: unsafe
// options: --property assert
// What another thread stores into its own is not seen here.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
_Thread_local int own;
void *first(void *arg) {
  own = 7;
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  if (own == 0) reach_error();  //~ violated
  return 0;
}
