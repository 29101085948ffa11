// expect: unsafe
// options: --property assert
/* The states are too many for the search in the time there is; an execution by chance finds the violation. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
pthread_mutex_t m;
int pushed, popped, filled;
void *first(void *arg) {
  for (int i = 0; i < 500; i++) {
    pthread_mutex_lock(&m);
    pushed++;
    if (pushed == 300) filled = 1;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *second(void *arg) {
  for (int i = 0; i < 500; i++) {
    pthread_mutex_lock(&m);
    if (filled) {
      if (popped == pushed) reach_error();  //~ violated
      popped++;
    }
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
