/* A global variable is written. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int value;

int main(void) {
    value = __VERIFIER_nondet_int();
    if (value == 4) reach_error();
    return 0;
}
