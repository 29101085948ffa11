// expect: unsafe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t m, n;
int inside;
void *first(void *arg) {
  pthread_mutex_lock(&m);
  inside = 1;
  if (inside != 1) reach_error();  //~ violated
  pthread_mutex_unlock(&m);
  return 0;
}
void *second(void *arg) {
  pthread_mutex_lock(&n);
  inside = 2;
  if (inside != 2) reach_error();  //~ violated
  pthread_mutex_unlock(&n);
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
