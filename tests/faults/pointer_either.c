/* A store through a pointer to one of two variables. */
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);

int main(void) {
    int n = __VERIFIER_nondet_int();
    int x = 0, y = 0;
    int *p = n ? &x : &y;
    *p = 1;
    if (x == 1) reach_error();
    return 0;
}
