/* The address of a variable lies in memory. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0;
    int *places[2] = {&x, &x};
    *places[n & 1] = 1;
    if (x == 1) reach_error();
    return 0;
}
