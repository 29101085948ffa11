/* What a loop would keep does not hold when it is entered. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int x = 1, y = 0;
    while (__VERIFIER_nondet_int()) {
        if (x == y) x = y = __VERIFIER_nondet_int();
    }
    if (x != y) reach_error();
    return 0;
}
