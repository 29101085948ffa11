// expect: unsafe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int flag1, flag2, turn = 1;
int inside;
void *first(void *arg) {
  while (flag2) {
    if (turn != 1) {
      flag1 = 0;
      while (turn != 1) {}
      flag1 = 1;
    }
  }
  flag1 = 1;
  inside = 1;
  if (inside != 1) reach_error();  //~ violated
  turn = 2;
  flag1 = 0;
  return 0;
}
void *second(void *arg) {
  while (flag1) {
    if (turn != 2) {
      flag2 = 0;
      while (turn != 2) {}
      flag2 = 1;
    }
  }
  flag2 = 1;
  inside = 2;
  if (inside != 2) reach_error();  //~ violated
  turn = 1;
  flag2 = 0;
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
