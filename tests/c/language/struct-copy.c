// expect: safe
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
    struct pair twice = swapped(swapped(it));
    if (twice.first != it.first || twice.second != 7)
        reach_error();
    return 0;
}
