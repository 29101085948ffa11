/* One of two functions is called. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int up(int x) { return x + 1; }
static int down(int x) { return x - 1; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    int (*f)(int) = n ? up : down;
    if (f(3) == 2) reach_error();
    return 0;
}
