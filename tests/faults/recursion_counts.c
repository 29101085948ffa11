/* A recursion counts its calls. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int count(int n) {
    if (n <= 0) return 0;
    return 1 + count(n - 1);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n < 10 && count(n) == 6) reach_error();
    return 0;
}
