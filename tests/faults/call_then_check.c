/* What is checked comes after calls. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int value;
static void set(int to) {
    while (value < to && value < 9) value++;
}

int main(void) {
    set(__VERIFIER_nondet_int());
    set(__VERIFIER_nondet_int());
    if (value == 9) reach_error();
    return 0;
}
