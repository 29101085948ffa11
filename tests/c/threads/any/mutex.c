// expect: safe
// options: --property assert
// says: (any number of threads)
// says: engine cegar
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
typedef struct { int words[10]; } mutex;
int pthread_mutex_lock(mutex *);
int pthread_mutex_unlock(mutex *);
mutex m;
int count;
void *worker(void *arg) {
  pthread_mutex_lock(&m);
  count++;
  if (count != 1) reach_error();
  count--;
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, worker, 0);
  return 0;
}
