// expect: safe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
struct job { int number; };
void *first(void *arg) {
  struct job *job = arg;
  job->number++;
  return 0;
}
int main(void) {
  pthread_t ids[2];
  struct job jobs[2];
  for (int i = 0; i < 2; i++) {
    jobs[i].number = i;
    pthread_create(&ids[i], 0, first, &jobs[i]);
  }
  pthread_join(ids[0], 0);
  pthread_join(ids[1], 0);
  return jobs[0].number;
}
