// expect: safe
_Noreturn void die(void);
void die_too(void) __attribute__((noreturn));
[[noreturn]] void die_as_well(void);
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int *p = 0;
    switch (__VERIFIER_nondet_int()) {
    case 0: die();
    case 1: die_too();
    default: die_as_well();
    }
    return *p;
}
