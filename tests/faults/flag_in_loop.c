/* A flag is set in some round. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int flag = 0, rounds = 0;
    while (__VERIFIER_nondet_int()) {
        if (flag == 1 && __VERIFIER_nondet_int() == 3) flag = 2;
        if (__VERIFIER_nondet_int() == 7) flag = 1;
    }
    if (flag == 2) reach_error();
    return 0;
}
