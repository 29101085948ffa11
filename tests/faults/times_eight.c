/* A product with a power of two. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x == 1 && x * 8 == 8) reach_error();
    if (x < 9 && x * 8 == 24) reach_error();
    return 0;
}
