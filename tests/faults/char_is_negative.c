/* A small number with sign becomes a large one. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    signed char c = (signed char)__VERIFIER_nondet_int();
    int i = c;
    if (i < 0) reach_error();
    return 0;
}
