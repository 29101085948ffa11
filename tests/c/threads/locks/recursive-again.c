// expect: safe
// options: --property lock
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
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  int attr;
  pthread_mutexattr_init(&attr);
  pthread_mutexattr_settype(&attr, 1);
  pthread_mutex_init(&m, &attr);
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);
  return 0;
}
