/* A puzzle that takes a search. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x > 1000 && y > 1000 && x < 5000 && y < 5000 && x * y == 1018081) reach_error();
    return 0;
}
