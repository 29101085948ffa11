// The brace of `f` is missing: what follows is read all the same.
// expect: rejected
int f(int x) {
    if (x) {
        return 1;
    return 0;
}

int g(void) {                               //~ c0003
    return 2 +;                             //~ c0001
}

int main(void) { return f(g()); }           //~ c0003
//~ c0001
