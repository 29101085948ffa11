/* A sum is a constant. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint();
    if (x < 5 && x + 3 == 5) reach_error();
    return 0;
}
