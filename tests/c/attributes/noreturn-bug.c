// expect: unsafe
_Noreturn void die(int n) {
    if (n) __builtin_trap();
} //~ violated
extern int __VERIFIER_nondet_int(void);
int main(void) {
    die(__VERIFIER_nondet_int());
}
