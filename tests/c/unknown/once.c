// expect: unsafe
// options: --property assert
extern int pthread_once(int *once, void (*init)(void));
extern void reach_error(void);
static int ready;
static void init(void) { ready = 1; }
int main(void) {
    int once = 0;
    pthread_once(&once, init);
    if (ready) reach_error(); //~ violated
    return 0;
}
