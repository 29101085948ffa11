// expect: safe
// options: --property assert
// says: (any number of threads)
// says: engine cegar
// A spin lock, with any number of threads.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int lock, count;
void *worker(void *arg) {
  while (__sync_lock_test_and_set(&lock, 1)) {}
  count++;
  if (count != 1) reach_error();
  count--;
  __sync_lock_release(&lock);
  return 0;
}
int main(void) {
  pthread_t one;
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, worker, 0);
  return 0;
}
