// expect: unsafe
// options: --property assert
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
unsigned next, serving;
int inside;
void *first(void *arg) {
  unsigned mine = next;
  next = mine + 1;
  while (serving != mine) {}
  inside = 1;
  if (inside != 1) reach_error();  //~ violated
  serving++;
  return 0;
}
void *second(void *arg) {
  unsigned mine = next;
  next = mine + 1;
  while (serving != mine) {}
  inside = 2;
  if (inside != 2) reach_error();
  serving++;
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
