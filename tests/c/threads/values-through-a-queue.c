// expect: safe
// options: --property assert
// Values are any, and go through memory that threads share: what comes out is what went in.
typedef unsigned long pthread_t;
int pthread_create(pthread_t *, const void *, void *(*)(void *), void *);
int pthread_join(pthread_t, void **);
typedef struct { int words[10]; } pthread_mutex_t;
int pthread_mutex_lock(pthread_mutex_t *);
int pthread_mutex_unlock(pthread_mutex_t *);
extern void reach_error(void);
int __VERIFIER_nondet_int(void);
pthread_mutex_t m;
int queue[3], copy[3], n_in, n_out;
void *producer(void *arg) {
  for (int i = 0; i < 3; i++) {
    int value = __VERIFIER_nondet_int();
    pthread_mutex_lock(&m);
    copy[n_in] = value ^ 5;
    queue[n_in++] = value;
    pthread_mutex_unlock(&m);
  }
  return 0;
}
void *consumer(void *arg) {
  for (int i = 0; i < 3; i++) {
    pthread_mutex_lock(&m);
    if (n_out < n_in) {
      if ((queue[n_out] ^ 5) != copy[n_out]) reach_error();
      n_out++;
    }
    pthread_mutex_unlock(&m);
  }
  return 0;
}
int main(void) {
  pthread_t one, two;
  pthread_create(&one, 0, producer, 0);
  pthread_create(&two, 0, consumer, 0);
  pthread_join(one, 0);
  pthread_join(two, 0);
  return 0;
}
