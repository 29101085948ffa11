// expect: unknown(unsupported)
// options: --property assert
// It may be called any number of times, which is not followed.
extern void reach_error(void);
extern void each(void (*act)(void));
static int n;
static void act(void) { n++; }
int main(void) {
    each(act);
    if (n == 2) reach_error();
    return 0;
}
