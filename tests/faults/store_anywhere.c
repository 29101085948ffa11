/* A store at an index that is not known. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned i = __VERIFIER_nondet_uint();
    int a[10] = {0};
    if (i < 10) a[i] = 1;
    if (a[3] == 1) reach_error();
    return 0;
}
