// expect: safe
extern void reach_error(void);
extern void _exit(int);
extern int __VERIFIER_nondet_int(void);
int g;
__attribute__((destructor(101))) static void later(void) { if (g == 1) reach_error(); }
__attribute__((destructor)) static void sooner(void) { g = 0; }
int main(void) {
    g = 1;
    if (__VERIFIER_nondet_int()) {
        g = 2;
        _exit(0);
    }
    return 0;
}
