/* Small numbers with sign, compared as large ones. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    signed char a = (signed char)__VERIFIER_nondet_int(), b = (signed char)__VERIFIER_nondet_int();
    if (a < 0 && b > 5 && a < b) reach_error();
    return 0;
}
