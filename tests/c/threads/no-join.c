// expect: unsafe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int x;
void *first(void *arg) {
  x = x + 1;
  return 0;
}
void *unused(void *arg) {
  x++;
  return 0;
}
int main(void) {
  pthread_t one;
  x = 4;
  pthread_create(&one, 0, first, 0);
  if (x != 4) reach_error();  //~ violated
  return 0;
}
