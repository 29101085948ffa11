// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
typedef struct { int words[14]; } pthread_rwlock_t;
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
pthread_rwlock_t lock;
int a, b;
void *first(void *arg) {
  pthread_rwlock_wrlock(&lock);
  a++;
  b++;
  pthread_rwlock_unlock(&lock);
  return 0;
}
void *second(void *arg) {
  pthread_rwlock_rdlock(&lock);
  if (a != b) reach_error();
  pthread_rwlock_unlock(&lock);
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
