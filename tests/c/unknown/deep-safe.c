// expect: safe
// options: --property assert
// models: lp64 ilp32
extern void reach_error(void);
struct S { int n; int *p; };
extern void f(struct S *);
int main(void) {
    int x = 0, y = 0;
    struct S s = {1, &x};
    f(&s);
    if (y) reach_error();
    return 0;
}
