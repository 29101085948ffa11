/* A recursion that goes as deep as an input says. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int count(int n) {
    if (n <= 0) return 0;
    return count(n - 1) + 1;
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (count(n) == 5) reach_error();
    return 0;
}
