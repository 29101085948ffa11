// expect: unsafe
// options: --property race
#include <pthread.h>
static char cells[4];
static void *work(void *arg) {
  int me = *(int *)arg;
cells[me / 2] = 1;  //~ violated
  return 0;
}
int main(void) {
  pthread_t t[3];
  int number[3] = { 0, 1, 2 };
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, work, &number[i]);
  for (int i = 0; i < 3; i++) pthread_join(t[i], 0);
  return 0;
}
