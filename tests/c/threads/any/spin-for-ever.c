// expect: safe
// options: --property assert
// says: (any number of threads)
// says: engine cegar
// Test and set by hand; threads are started for ever, and each goes round for ever.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
int lock, inside;
int test_and_set(void) {
  int old;
  __VERIFIER_atomic_begin();
  old = lock;
  lock = 1;
  __VERIFIER_atomic_end();
  return old;
}
void *worker(void *arg) {
  for (;;) {
    while (test_and_set()) {}
    if (inside) reach_error();
    inside = 1;
    inside = 0;
    lock = 0;
  }
}
int main(void) {
  pthread_t one;
  for (;;) pthread_create(&one, 0, worker, 0);
}
