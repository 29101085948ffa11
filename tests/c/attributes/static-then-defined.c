// expect: safe
extern void reach_error(void);
static int f(void);
int g(void) { return f(); }
int f(void) { return 4; }
int main(void) {
    if (g() != 4) reach_error();
    return 0;
}
