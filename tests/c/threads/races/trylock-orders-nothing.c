// expect: unsafe
// options: --property no-data-race
/* That the lock is held tells nothing of what its holder did before. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
int pthread_mutex_trylock(pthread_mutex_t *);
pthread_mutex_t m;
int x;
void *first(void *arg) {
  x = 1;
  pthread_mutex_lock(&m);
  return 0;
}
void *second(void *arg) {
  if (pthread_mutex_trylock(&m))
    x = 2;  //~ violated
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
