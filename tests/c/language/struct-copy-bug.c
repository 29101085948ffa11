// expect: unsafe
// models: lp64 ilp32
struct pair { int first, second; };
static struct pair swapped(struct pair it) {
    struct pair other = { it.second, it.first };
    return other;
}
void reach_error(void);
int __VERIFIER_nondet_int(void);
int main(void) {
    struct pair it = { __VERIFIER_nondet_int(), 7 };
    struct pair once = swapped(it);
    if (once.first != it.first)
        reach_error(); //~ violated
    return 0;
}
