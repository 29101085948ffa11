// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
void pthread_exit(void *);
int cell;
static void leave(void) { pthread_exit(&cell); }
void *first(void *arg) {
  leave();
  reach_error();
  return 0;
}
void *second(void *arg) { return arg; }
int main(void) {
  pthread_t one, two;
  void *a, *b;
  int mine;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, &mine);
  pthread_join(one, &a);
  pthread_join(two, &b);
  if (a != &cell || b != &mine) reach_error();
  return 0;
}
