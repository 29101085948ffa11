// expect: unsafe
// options: --property assert
// What was handed over once may change at any later call.
extern void reach_error(void);
extern void keep(int *);
extern void tick(void);
int main(void) {
    int x = 0;
    keep(&x);
    x = 1;
    tick();
    if (x != 1) reach_error(); //~ violated
    return 0;
}
