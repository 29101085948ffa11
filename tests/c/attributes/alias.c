// expect: safe
extern void reach_error(void);
int y = 3;
extern int x __attribute__((alias("y")));
static int f(void) { return 5; }
int g(void) __attribute__((alias("f")));
extern int h(void) __asm__("named");
int named(void) { return 6; }
extern int v __asm__("y");
int main(void) {
    x = 4;
    int *p = &x;
    if (y != 4 || *p != 4 || p != &y || v != 4) reach_error();
    if (g() != 5 || h() != 6 || h != named) reach_error();
    return 0;
}
