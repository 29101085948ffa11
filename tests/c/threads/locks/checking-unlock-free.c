// expect: safe
// options: --property lock,null
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_init(pthread_mutex_t *, const void *);
int pthread_mutex_destroy(pthread_mutex_t *);
int pthread_mutexattr_init(int *);
int pthread_mutexattr_settype(int *, int);
pthread_mutex_t m;
void *first(void *arg) {
  if (pthread_mutex_unlock(&m) == 0) *(int *)0 = 1;
  return 0;
}
int main(void) {
  pthread_t one;
  int attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, 2);
  pthread_mutex_init(&m, &attr);
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  return 0;
}
