/* A choice inside a choice. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int a = x > 0, b = y > 0;
    int z = a ? (b ? 1 : y) : y;
    if (a && !b && z == -7) reach_error();
    return 0;
}
