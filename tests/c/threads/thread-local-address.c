// expect: rejected
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
_Thread_local int own;  //~ c0003
int *where;
void *first(void *arg) {
  where = &own;
  return 0;
}
int main(void) {
  pthread_t one;
  pthread_create(&one, 0, first, 0);
  return 0;
}
