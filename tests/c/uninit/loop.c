// What a loop without a bound has written stays written.
// expect: safe
// options: --property uninit
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int last[1];
    last[0] = 0;
    int *p = last;
    while (__VERIFIER_nondet_int())
        *p = *p ^ 1;
    return last[0];
}
