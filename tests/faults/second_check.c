/* The first of two checks holds. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n * 0 != 0) reach_error();
    int i = n > 5 ? 1 : 0;
    if (i > 1) reach_error();
    if (i == 1) reach_error();
    return 0;
}
