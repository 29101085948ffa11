// expect: unsafe
// options: --property assert
// The ticket is read and counted up in two steps.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
unsigned next, serving;
int inside;
void *worker(void *arg) {
  unsigned mine = next;
  next = mine + 1;
  while (serving != mine) {}
  inside++;
  if (inside != 1) reach_error(); //~ violated
  inside--;
  serving++;
  return 0;
}
int main(void) {
  pthread_t one;
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, worker, 0);
  return 0;
}
