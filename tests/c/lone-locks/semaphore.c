// expect: unsafe
// says: the only thread may wait for ever
typedef struct { int words[8]; } sem_t;
int sem_init(sem_t *, int, unsigned);
int sem_wait(sem_t *);
int sem_post(sem_t *);
sem_t s;
int main(void) {
  sem_init(&s, 0, 1);
  sem_wait(&s);
  sem_post(&s);
  sem_wait(&s);
  sem_wait(&s);  //~ violated
  return 0;
}
