// expect: safe
// A mutex that may be locked again by its holder, in a program with one thread.
typedef struct { int words[10]; } pthread_mutex_t;
typedef int pthread_mutexattr_t;
int pthread_mutexattr_init(pthread_mutexattr_t *);
int pthread_mutexattr_settype(pthread_mutexattr_t *, int);
int pthread_mutex_init(pthread_mutex_t *, const pthread_mutexattr_t *);
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int main(void) {
  pthread_mutex_t m;
  pthread_mutexattr_t recursive;
  pthread_mutexattr_init(&recursive);
  pthread_mutexattr_settype(&recursive, 1);
  pthread_mutex_init(&m, &recursive);
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);
  pthread_mutex_unlock(&m);
  pthread_mutex_unlock(&m);
  return 0;
}
