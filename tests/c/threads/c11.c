// expect: safe
// options: --property assert
typedef unsigned long thrd_t;
typedef struct { int words[10]; } mtx_t;
int thrd_create(thrd_t *, int (*)(void *), void *);
int thrd_join(thrd_t, int *);
int mtx_init(mtx_t *, int);
int mtx_lock(mtx_t *);
int mtx_unlock(mtx_t *);
extern void reach_error(void);
mtx_t m;
int x;
int add(void *by) {
  mtx_lock(&m);
  x += *(int *)by;
  mtx_unlock(&m);
  return *(int *)by + 1;
}
int main(void) {
  thrd_t one, two;
  int a = 1, b = 2, c, d;
  mtx_init(&m, 0);
  thrd_create(&one, add, &a);
  thrd_create(&two, add, &b);
  thrd_join(one, &c);
  thrd_join(two, &d);
  if (x != 3 || c != 2 || d != 3) reach_error();
  return 0;
}
