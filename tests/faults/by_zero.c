/* A quotient by zero, of which it is not asked. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
    if (x == 1 && x / y == 0xffffffffu) reach_error();
    return 0;
}
