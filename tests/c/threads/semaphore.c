// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
typedef struct { unsigned words[8]; } sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
sem_t s;
int inside;
void *first(void *arg) {
  sem_wait(&s);
  inside = 1;
  if (inside != 1) reach_error();
  sem_post(&s);
  return 0;
}
void *second(void *arg) {
  sem_wait(&s);
  inside = 2;
  if (inside != 2) reach_error();
  sem_post(&s);
  return 0;
}
int main(void) {
  pthread_t one, two;
  sem_init(&s, 0, 1);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
