/* An argument is handed on by a recursion. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

static int hand_on(int rounds, int value) {
    if (rounds == 0) return value;
    return hand_on(rounds - 1, value);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (hand_on(3, n) == 7) reach_error();
    return 0;
}
