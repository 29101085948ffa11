/* A loop of any number of rounds counts them. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned i = 0;
    while (__VERIFIER_nondet_int()) i++;
    if (i == 12) reach_error();
    return 0;
}
