/* A branch decides what a variable holds. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0;
    if (n > 3) x = 1;
    if (x) reach_error();
    return 0;
}
