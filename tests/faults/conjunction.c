/* Two conditions, not both. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
    int a = x > 10, b = y > 10;
    if (a && !(a && b)) reach_error();
    return 0;
}
