// expect: safe
// options: --property assert
// says: (any number of threads)
// says: engine cegar
// One thread writes, any number of others read.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
_Atomic int ready;
int data;
void *writer(void *arg) {
  data = 42;
  ready = 1;
  return 0;
}
void *reader(void *arg) {
  if (ready && data != 42) reach_error();
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, writer, 0);
  while (__VERIFIER_nondet_int()) pthread_create(&one, 0, reader, 0);
  return 0;
}
