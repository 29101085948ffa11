// expect: unsafe
// options: --property deadlock
// Whether a thread waits for ever depends on a value that is any.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int words[8]; } sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
unsigned __VERIFIER_nondet_uint(void);
sem_t s;
void *first(void *arg) {
  sem_wait(&s);  //~ violated
  return 0;
}
int main(void) {
  pthread_t one;
  sem_init(&s, 0, __VERIFIER_nondet_uint() * 7);
  pthread_create(&one, 0, first, 0);
  pthread_join(one, 0);  //~ violated
  return 0;
}
