// expect: safe
// options: --property deadlock
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t m;
int main(void) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
