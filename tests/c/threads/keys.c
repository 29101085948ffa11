// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef unsigned pthread_key_t;
int pthread_key_create(pthread_key_t *, void (*)(void *));
int pthread_setspecific(pthread_key_t, const void *);
void *pthread_getspecific(pthread_key_t);
extern void reach_error(void);
pthread_key_t a, b;
int x, y;
void *first(void *arg) {
  if (pthread_getspecific(a) || pthread_getspecific(b)) reach_error();
  pthread_setspecific(a, arg);
  if (pthread_getspecific(a) != arg || pthread_getspecific(b)) reach_error();
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_key_create(&a, 0);
  pthread_key_create(&b, 0);
  pthread_setspecific(b, &x);
  pthread_create(&one, 0, first, &x);
  pthread_create(&two, 0, first, &y);
  pthread_join(one, 0);
  pthread_join(two, 0);
  if (pthread_getspecific(a) || pthread_getspecific(b) != &x) reach_error();
  return 0;
}
