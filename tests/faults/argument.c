/* A call with an argument. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int twice(int x) { return 2 * x; }

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 100 && n > -100 && twice(n) == 6) reach_error();
    return 0;
}
