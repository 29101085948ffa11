// expect: safe
// options: --property assert
// says: (any number of threads)
// says: engine cegar
// A ticket lock, with any number of threads, that gives no ticket twice: no two threads hold the same one.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
void __VERIFIER_assume(int);
void __VERIFIER_atomic_begin(void);
void __VERIFIER_atomic_end(void);
unsigned next, serving;
int inside;
unsigned take(void) {
  unsigned mine;
  __VERIFIER_atomic_begin();
  mine = next;
  __VERIFIER_assume(mine != 4294967295u);
  next = mine + 1;
  __VERIFIER_atomic_end();
  return mine;
}
void *worker(void *arg) {
  unsigned mine = take();
  while (serving != mine) {}
  inside++;
  if (inside != 1) reach_error();
  inside--;
  serving++;
  return 0;
}
int main(void) {
  pthread_t one;
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, worker, 0);
  return 0;
}
