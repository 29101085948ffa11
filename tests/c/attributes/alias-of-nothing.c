// expect: rejected
int g(void) __attribute__((alias("f"))); //~ c0005
int main(void) { return g(); }
