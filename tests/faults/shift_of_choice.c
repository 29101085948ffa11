/* A negative constant is shifted. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = n ? -8 : 8;
    if ((x >> 1) == -4) reach_error();
    return 0;
}
