// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int pthread_once(int *, void (*)(void));
int once, times;
void count(void) { times++; }
void *first(void *arg) {
  pthread_once(&once, count);
  if (times != 1) reach_error();
  return 0;
}
void *second(void *arg) { return first(arg); }
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
