// expect: unsafe
// options: --property assert
// models: lp64 ilp32
// The pointer may lead to a variable of the program.
extern void reach_error(void);
int g;
extern int *get(void);
int main(void) {
    int *p = get();
    g = 1;
    *p = 2;
    if (g == 2) reach_error(); //~ violated
    return 0;
}
