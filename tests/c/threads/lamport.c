// expect: safe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int x, y, b1, b2;
int inside;
void *first(void *arg) {
  for (;;) {
    b1 = 1;
    x = 1;
    if (y) {
      b1 = 0;
      while (y) {}
      continue;
    }
    y = 1;
    if (x != 1) {
      b1 = 0;
      while (b2) {}
      if (y != 1) {
        while (y) {}
        continue;
      }
    }
    break;
  }
  inside = 1;
  if (inside != 1) reach_error();
  y = 0;
  b1 = 0;
  return 0;
}
void *second(void *arg) {
  for (;;) {
    b2 = 1;
    x = 2;
    if (y) {
      b2 = 0;
      while (y) {}
      continue;
    }
    y = 2;
    if (x != 2) {
      b2 = 0;
      while (b1) {}
      if (y != 2) {
        while (y) {}
        continue;
      }
    }
    break;
  }
  inside = 2;
  if (inside != 2) reach_error();
  y = 0;
  b2 = 0;
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
