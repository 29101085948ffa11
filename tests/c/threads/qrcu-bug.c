// expect: unsafe
// options: --property assert
/* QRCU: readers count themselves in one of two counters, an update changes sides and waits for the old one to empty,
   unless both counters together show that there is no reader. Here one reader is taken for none. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
extern void reach_error(void);
int side, count[2] = {1, 0};
int is_removed, is_freed;
int __VERIFIER_atomic_enters(int at) {
  if (count[at] == 0) return 0;
  count[at]++;
  return 1;
}
void *reader(void *arg) {
  int at = side;
  while (!__VERIFIER_atomic_enters(at)) at = side;
  if (!is_removed) {
    if (is_freed) reach_error();  //~ violated
  }
  __sync_fetch_and_sub(&count[at], 1);
  return 0;
}
void *update(void *arg) {
  is_removed = 1;
  int sum = count[0];
  sum += count[1];
  if (sum <= 1) {
    sum = count[1];
    sum += count[0];
  }
  if (sum > 2) {
    int old = side;
    __sync_fetch_and_add(&count[1 - old], 1);
    side = 1 - old;
    __sync_fetch_and_sub(&count[old], 1);
    while (count[old] > 0) {
    }
  }
  is_freed = 1;
  return 0;
}
int main(void) {
  pthread_t one, two, three;
  pthread_create(&one, 0, reader, 0);
  pthread_create(&two, 0, reader, 0);
  pthread_create(&three, 0, update, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  pthread_join(three, 0);
  return 0;
}
