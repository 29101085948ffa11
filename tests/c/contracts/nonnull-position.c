// expect: rejected
extern void use(int *) __attribute__((nonnull(-1))); //~ c0004
int main(void) { return 0; }
