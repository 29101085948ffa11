// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
typedef struct { int words[12]; } pthread_cond_t;
int pthread_cond_wait(pthread_cond_t *, pthread_mutex_t *);
int pthread_cond_signal(pthread_cond_t *);
pthread_mutex_t m;
pthread_cond_t filled, emptied;
int full, value;
void *first(void *arg) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (full) pthread_cond_wait(&emptied, &m);
    value = i;
    full = 1;
    pthread_cond_signal(&filled);
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *second(void *arg) {
  for (int i = 1; i <= 2; i++) {
    pthread_mutex_lock(&m);
    while (!full) pthread_cond_wait(&filled, &m);
    if (value != i) reach_error();
    full = 0;
    pthread_cond_signal(&emptied);
    pthread_mutex_unlock(&m);
  }
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
