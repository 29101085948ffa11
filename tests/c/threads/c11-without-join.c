// expect: unsafe
// options: --property assert
// C11 threads: another thread may run between any two steps.
typedef int (*thrd_start_t)(void *);
typedef unsigned long thrd_t;
int thrd_create(thrd_t *thread, thrd_start_t start, void *arg);
int thrd_join(thrd_t thread, int *result);
extern void reach_error(void);
static int counter;
static int worker(void *arg) { return counter++; }
int main(void) {
    thrd_t thread;
    thrd_create(&thread, worker, 0);
    if (counter) reach_error(); //~ violated
    return 0;
}
