// expect: unsafe
// options: --property deadlock
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
pthread_mutex_t m;
int main(void) {
  pthread_mutex_lock(&m);
  pthread_mutex_lock(&m);  //~ violated
  return 0;
}
