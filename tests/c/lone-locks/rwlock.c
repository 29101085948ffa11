// expect: unsafe
// options: --property deadlock
typedef struct { int words[14]; } pthread_rwlock_t;
int pthread_rwlock_rdlock(pthread_rwlock_t *);
int pthread_rwlock_wrlock(pthread_rwlock_t *);
int pthread_rwlock_unlock(pthread_rwlock_t *);
pthread_rwlock_t lock;
int main(void) {
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_rdlock(&lock);
  pthread_rwlock_unlock(&lock);
  pthread_rwlock_wrlock(&lock);  //~ violated
  return 0;
}
