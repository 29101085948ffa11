// expect: unsafe
// options: --property no-data-race
/* The number may be stored after the thread has begun. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
pthread_t one;
void *first(void *arg) {
  if (one)  //~ violated
    arg = 0;
  return 0;
}
int main(void) {
  pthread_create(&one, 0, first, 0);  //~ violated
  pthread_join(one, 0);
  return 0;
}
