// expect: unsafe
// options: --property deadlock
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { long words[4]; } sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
sem_t s, t;
void *first(void *arg) {
  sem_wait(&s);  //~ violated
  sem_post(&t);
  return 0;
}
void *second(void *arg) {
  sem_wait(&t);  //~ violated
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t one, two;
  sem_init(&s, 0, 0);
  sem_init(&t, 0, 0);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);  //~ violated
  pthread_join(two, 0);
  return 0;
}
