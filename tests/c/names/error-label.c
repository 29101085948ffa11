// expect: unsafe
// options: --property unreach-call
// Neither a mere declaration nor an assertion of the program's own takes the label its meaning.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
void __VERIFIER_assert(int cond) {
    if (!cond) {
    ERROR: //~ violated
        goto ERROR;
    }
}
int main(void) {
    __VERIFIER_assert(__VERIFIER_nondet_int() != 9);
    return 0;
}
