// expect: unsafe
// options: --property assert
// models: lp64 ilp32
// What an argument leads to may be changed.
extern void reach_error(void);
struct S { int n; int *p; };
extern void f(struct S *);
int main(void) {
    int x = 0;
    struct S s = {1, &x};
    f(&s);
    if (x == 42) reach_error(); //~ violated
    return 0;
}
