/* A loop writes an array. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    int a[4] = {0};
    while (__VERIFIER_nondet_int()) {
        a[i & 3] = 1;
        i = __VERIFIER_nondet_uint();
    }
    if (a[2] == 1) reach_error();
    return 0;
}
