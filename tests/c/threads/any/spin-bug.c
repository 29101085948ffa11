// expect: unsafe
// options: --property assert
// The lock is looked at and taken in two steps.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
int lock, count;
void *worker(void *arg) {
  while (lock) {}
  lock = 1;
  count++;
  if (count != 1) reach_error(); //~ violated
  count--;
  lock = 0;
  return 0;
}
int main(void) {
  pthread_t one;
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, worker, 0);
  return 0;
}
