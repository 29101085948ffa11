/* A variable is changed after it was copied. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int copy = n;
    if (n < 1000) n = n + 1;
    if (copy != n) reach_error();
    return 0;
}
