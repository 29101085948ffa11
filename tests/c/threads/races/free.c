// expect: unsafe
// options: --property no-data-race
/* To give memory back is like writing it. */
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
void *malloc(unsigned long);
void free(void *);
int *p;
void *first(void *arg) {
  *p = 1;  //~ violated
  return 0;
}
int main(void) {
  pthread_t one;
  p = malloc(sizeof *p);
  pthread_create(&one, 0, first, 0);
  free(p);  //~ violated
  pthread_join(one, 0);
  return 0;
}
