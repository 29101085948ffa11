// expect: unsafe
// options: --property no-data-race
/* Readers do not keep each other out. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { long words[7]; } pthread_rwlock_t;
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
pthread_rwlock_t l;
int x, y;
void *first(void *arg) {
  pthread_rwlock_rdlock(&l);
  x = 1;  //~ violated
  pthread_rwlock_unlock(&l);
  return 0;
}
void *second(void *arg) {
  pthread_rwlock_rdlock(&l);
  y = x;  //~ violated
  pthread_rwlock_unlock(&l);
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
