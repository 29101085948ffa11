// expect: rejected
struct pair { int a, b; };
int main(void) {
    const int x = 3;
    const struct pair s = { 1, 2 };
    const int *p = &x;
    int *const q = 0;
    x = 4; //~ c0004
    s.a++; //~ c0004
    *p += 1; //~ c0004
    q = 0; //~ c0004
    return 0;
}
