// expect: unsafe
// options: --property no-data-race
/* Two may pass. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { long words[4]; } sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
sem_t s;
int x;
void *first(void *arg) {
  sem_wait(&s);
  x = 1;  //~ violated
  sem_post(&s);
  return 0;
}
void *second(void *arg) {
  sem_wait(&s);
  x++;  //~ violated
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t one, two;
  sem_init(&s, 0, 2);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
