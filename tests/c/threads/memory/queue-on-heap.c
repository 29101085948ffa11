// expect: safe
// options: --property valid-memsafety
#include <pthread.h>
#include <stdlib.h>
struct node { int value; struct node *next; };
static struct node *head;
static pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
static void *produce(void *arg) {
  struct node *n = malloc(sizeof *n);
  if (!n) return 0;
  n->value = 1;
  pthread_mutex_lock(&m);
  n->next = head;
  head = n;
  pthread_mutex_unlock(&m);
  return arg;
}
static void *consume(void *arg) {
  pthread_mutex_lock(&m);
  struct node *n = head;
  if (n) head = n->next;
  pthread_mutex_unlock(&m);
  free(n);
  return arg;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, produce, 0);
  pthread_create(&b, 0, consume, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  free(head);
  return 0;
}
