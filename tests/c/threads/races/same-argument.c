// expect: unsafe
// options: --property no-data-race
/* The second round changes what the first thread may not have read. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
struct job { int number; };
void *first(void *arg) {
  struct job *job = arg;
  int number = job->number;  //~ violated
  return number ? arg : 0;
}
int main(void) {
  pthread_t ids[2];
  struct job job;
  for (int i = 0; i < 2; i++) {
    job.number = i;  //~ violated
    pthread_create(&ids[i], 0, first, &job);
  }
  pthread_join(ids[0], 0);
  pthread_join(ids[1], 0);
  return 0;
}
