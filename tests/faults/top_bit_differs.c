/* Two numbers that differ in the highest bit. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x != y && x << 1 == y << 1) reach_error();
    return 0;
}
