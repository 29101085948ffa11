// expect: safe
// options: --property assert
// says: (any number of threads)
// says: engine cegar
// That `mine` is what all see is known of one thread at a time: the one that is watched.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
typedef struct { int words[10]; } mutex;
int pthread_mutex_lock(mutex *);
int pthread_mutex_unlock(mutex *);
mutex m;
int ours;
void *worker(void *arg) {
  int mine;
  pthread_mutex_lock(&m);
  ours = __VERIFIER_nondet_int();
  mine = ours;
  if (mine != ours) reach_error();
  pthread_mutex_unlock(&m);
  return 0;
}
int main(void) {
  pthread_t one;
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, worker, 0);
  return 0;
}
