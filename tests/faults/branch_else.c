/* The same, for the other branch. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x;
    if (n > 3) x = 1; else x = 2;
    if (x == 2) reach_error();
    return 0;
}
