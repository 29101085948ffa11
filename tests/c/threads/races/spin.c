// expect: safe
// options: --property no-data-race
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
int pthread_spin_init(volatile int *, int);
int pthread_spin_lock(volatile int *);
int pthread_spin_unlock(volatile int *);
int s;
int x;
void *first(void *arg) {
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  return 0;
}
void *second(void *arg) {
  pthread_spin_lock(&s);
  x++;
  pthread_spin_unlock(&s);
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_spin_init(&s, 0);
  pthread_create(&one, 0, first, 0);
  pthread_create(&two, 0, second, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
