/* A shift by more than the width. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    unsigned by = __VERIFIER_nondet_uint();
    unsigned x = 1u << by;
    if (x == 0) reach_error();
    return 0;
}
