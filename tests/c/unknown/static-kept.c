// expect: unsafe
// options: --property assert
// Through a pointer in a variable with external linkage.
extern void reach_error(void);
extern void tick(void);
static int s;
int *p = &s;
int main(void) {
    s = 1;
    tick();
    if (s != 1) reach_error(); //~ violated
    return 0;
}
