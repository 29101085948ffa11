// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int pending = 1, stopping, event, stopped;
void __VERIFIER_atomic_leave(void) {
  pending--;
  if (pending == 0) event = 1;
}
int enter(void) {
  __sync_fetch_and_add(&pending, 1);
  if (stopping) {
    __VERIFIER_atomic_leave();
    return 0;
  }
  return 1;
}
void *first(void *arg) {
  if (enter()) {
    if (stopped) reach_error();
    __VERIFIER_atomic_leave();
  }
  return 0;
}
void *second(void *arg) {
  stopping = 1;
  __VERIFIER_atomic_leave();
  while (!event) {}
  stopped = 1;
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
