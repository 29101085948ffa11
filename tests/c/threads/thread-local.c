// expect: safe
// options: --property assert
// Each thread has its own; a static one of a function, too.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
_Thread_local int own = 5;
static __thread char *name;
int count(void) {
  static _Thread_local int n;
  return ++n;
}
void *first(void *arg) {
  if (own != 5 || name) reach_error();
  own = 7;
  name = "first";
  count();
  if (count() != 2 || own != 7) reach_error();
  return 0;
}
int main(void) {
  pthread_t one, two;
  own = 6;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, first, 0);
  if (count() != 1) reach_error();
  pthread_join(one, 0);
  pthread_join(two, 0);
  if (own != 6 || name || count() != 2) reach_error();
  return 0;
}
