/* An access behind the end. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    int a[4] = {0};
    return a[i & 7];
    return 0;
}
