// expect: safe
// options: --property assert
#include <assert.h>
#include <pthread.h>
struct job { pthread_t thread; int input, output; };
static void *run(void *arg) {
  struct job *job = arg;
  job->output = job->input + 1;
  return 0;
}
static void start(struct job *job, int input) {
  job->input = input;
  pthread_create(&job->thread, 0, run, job);
}
static int finish(struct job *job) {
pthread_join(job->thread, 0);
  return job->output;
}
int main(void) {
  struct job one = { 0 }, two = { 0 };
  start(&one, 5);
  start(&two, 6);
  assert(finish(&one) + finish(&two) == 13);
  return 0;
}
