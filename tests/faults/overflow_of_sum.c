/* A sum overflows. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    return n + 1 > 5;
    return 0;
}
